import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { LabFacts, PastMark, ReadyPast } from "../../protocol/index.js";
import { lab, labNumber, run } from "../connection/state.js";
import { Button, Icon, IconButton, Note, Select } from "../design/index.js";
import { formatInstant, formatSpeed, showWithin } from "../format/index.js";
import { moment } from "../connection/moment.js";
import { isExact, past, pastFailure, pictureMs, readyPast } from "../connection/past-state.js";
import { goToMoment, leavePast, openPast, opensInPast } from "./past.js";
import { markBeside, markNear } from "./track.js";
import { TimeTrack } from "./time-track.jsx";
import { usePlay } from "./use-play.js";
import "./time.css";

/** Whether the scrubber is open by the user's choice; undefined: the user has not chosen. */
const isAskedFor = signal<boolean>();
const isBarOpen = (): boolean => isAskedFor.value ?? opensInPast();
/** The moment to show as soon as the past is ready. */
let wantedMs: number | undefined;

/** Opens the scrubber at a moment. */
export function lookAtPast(atMs: number): void {
  if (isBarOpen() && readyPast() !== undefined) {
    goToMoment(atMs);
    return;
  }
  wantedMs = atMs;
  // The past that was loaded earlier lacks what has happened since.
  past.value = undefined;
  isAskedFor.value = true;
}

/** A button that opens the scrubber, shown if there is a past and the scrubber is closed. */
export function PastButton() {
  if (lab.value?.hasPast !== true || isBarOpen()) return null;
  return (
    <Button icon="rewind" title="Look at the past" onPress={() => (isAskedFor.value = true)}>
      <span class="design-unseen">Look at the </span>
      <span class="time-opener">past</span>
    </Button>
  );
}

/** The scrubber, which moves to any moment of the recording. On a live lab `PastButton` opens it. */
export function TimeBar() {
  const isOpen = isBarOpen();
  const facts = lab.value;
  useEffect(() => {
    if (isOpen) void openPast({ isFresh: !opensInPast() });
  }, [isOpen, labNumber.value]);
  const known = past.value;
  useEffect(() => {
    // A recording first shows its end: the phones of the continuing lab were restarted.
    if (!isOpen || known?.state !== "ready" || moment.peek() !== undefined) return;
    if (wantedMs !== undefined) goToMoment(wantedMs);
    else if (opensInPast()) goToMoment(known.untilMs);
    wantedMs = undefined;
  }, [isOpen, known?.state]);
  if (facts === undefined || !facts.hasPast || !isOpen) return null;
  const close = (): void => {
    leavePast();
    isAskedFor.value = false;
  };
  const ready = readyPast();
  return (
    <section class="time" aria-label="The past">
      {ready === undefined ? <NotReady onClose={close} /> : <Scrubber past={ready} onClose={close} />}
    </section>
  );
}

function NotReady({ onClose }: { readonly onClose: () => void }) {
  const known = past.value;
  const why = pastFailure.value ?? (known?.state === "none" ? known.why : undefined);
  const actions = (
    <Button size="small" onPress={onClose}>
      Close
    </Button>
  );
  if (why === undefined || why === null) {
    return (
      <Note actions={actions}>
        <span role="status">The recording is being read.</span>
      </Note>
    );
  }
  return (
    <Note tone="warning" actions={actions}>
      <strong>The phones of this recording's past cannot be shown.</strong> {why} Conversations, events and tables still
      show the time of each entry.
    </Note>
  );
}

const speeds = [1, 10, 60, 300, 600, 1800, 3600];

function Scrubber({ past: ready, onClose }: { readonly past: ReadyPast; readonly onClose: () => void }) {
  const facts = lab.value;
  const shownMs = moment.value;
  const atMs = shownMs ?? ready.untilMs;
  const [speed, setSpeed] = useState(() => speedFor(ready.untilMs - ready.fromMs));
  const play = usePlay({ speed, untilMs: ready.untilMs, go: goToMoment });
  if (facts === undefined) return null;
  const go = (to: number): void => {
    play.stop();
    goToMoment(to);
  };
  const near = markNear(ready.marks, atMs, (ready.untilMs - ready.fromMs) / 120);
  const [previous, next] = [markBeside(ready.marks, atMs, "previous"), markBeside(ready.marks, atMs, "next")];
  return (
    <>
      <div class="time-row design-line">
        <MomentStatus past={ready} facts={facts} />
        <div class="time-leave design-line">
          {ready.canRefresh && (
            <Button size="small" kind="quiet" icon="reload" onPress={() => openPast({ isFresh: true })}>
              Read again
            </Button>
          )}
          {shownMs !== undefined && (
            <Button size="small" kind="main" icon="arrowRight" onPress={ready.canRefresh ? onClose : leavePast}>
              Back to now
            </Button>
          )}
          {shownMs === undefined && (
            <Button size="small" kind="quiet" onPress={onClose}>
              Close
            </Button>
          )}
        </div>
      </div>
      <div class="time-row design-line time-scrub">
        <div class="time-buttons design-line" role="group" aria-label="Moments">
          <IconButton
            icon="chevronLeft"
            label={previous === undefined ? "No mark before" : `Back to ${previous.text}`}
            isDisabled={previous === undefined}
            onPress={() => previous !== undefined && go(previous.atMs)}
          />
          <IconButton
            icon={play.isPlaying ? "pause" : "play"}
            label={play.isPlaying ? "Stop" : "Play the past"}
            kind="plain"
            onPress={() => play.toggle(atMs >= ready.untilMs ? ready.fromMs : atMs)}
          />
          <IconButton
            icon="chevronRight"
            label={next === undefined ? "No mark after" : `On to ${next.text}`}
            isDisabled={next === undefined}
            onPress={() => next !== undefined && go(next.atMs)}
          />
        </div>
        <TimeTrack past={ready} atMs={atMs} frame={facts} onGo={go} />
        <div class="time-speed">
          <Select
            label="Speed of the past"
            isLabelUnseen
            value={String(speed)}
            options={speeds.map((each) => ({ value: String(each), label: formatSpeed(each) }))}
            onChange={(value) => setSpeed(Number(value))}
          />
        </div>
      </div>
      <p class="time-near design-cut design-muted" aria-live="off">
        {near === undefined ? (
          <>
            {formatInstant(ready.fromMs, facts, "moment")} to {formatInstant(ready.untilMs, facts, "moment")}
            {!ready.isComplete &&
              ready.failure === null &&
              ready.frames.length > 0 &&
              `; the fleet is ready up to ${formatInstant(ready.frames.at(-1) ?? ready.fromMs, facts)}`}
          </>
        ) : (
          <>
            <Icon name={iconOf(near.kind)} />{" "}
            {formatInstant(near.atMs, facts, showWithin(ready.fromMs, ready.untilMs, facts))} {near.text}
            {near.count > 1 && ` and ${near.count - 1} more`}
          </>
        )}
      </p>
    </>
  );
}

function iconOf(kind: PastMark["kind"]): "alarm" | "edit" | "reload" | "story" {
  switch (kind) {
    case "alarm":
      return "alarm";
    case "hand":
      return "edit";
    case "restart":
      return "reload";
    default:
      return "story";
  }
}

/** The shown moment, and whether its state is exact. */
function MomentStatus({
  past: ready,
  facts,
}: {
  readonly past: ReadyPast;
  readonly facts: NonNullable<(typeof lab)["value"]>;
}) {
  const shownMs = moment.value;
  if (shownMs === undefined) {
    return (
      <p class="time-says">
        <strong>
          The page shows now{facts.pastEndsAtMs !== undefined && ": a new session after the recording's end"}.
        </strong>{" "}
        {facts.pastEndsAtMs !== undefined &&
          "The account continues. The phones were restarted: batteries and queues differ from the recording’s end, and totals count from here. "}
        Drag the handle to go back.
      </p>
    );
  }
  const isEnd = shownMs >= ready.untilMs;
  const stillRuns = facts.pastEndsAtMs === undefined && run.value?.isOver !== true;
  return (
    <p class="time-says" role="status">
      <strong>
        {isExact.value ? "The page shows" : "Computing"}{" "}
        <time class="design-number">{formatInstant(shownMs, facts, "moment")}</time>
        {isEnd && facts.pastEndsAtMs !== undefined && ", the end of the recording"}
      </strong>{" "}
      <span class="time-state">
        {stateText(ready, shownMs, facts)}
        {isEnd && ready.untilWhy !== null && ` ${ready.untilWhy}`}
        {stillRuns ? " The lab still runs." : ""} Nothing can be changed here.
      </span>
    </p>
  );
}

function stateText(ready: ReadyPast, shownMs: number, facts: LabFacts): string {
  const { differsAtMs, exact, failure } = ready;
  if (isExact.value) return "Every phone is as it was then.";
  const picture =
    pictureMs.value === undefined
      ? "Nothing of it is there yet"
      : `Clock, totals and phones are those of ${formatInstant(pictureMs.value, facts, "moment")}`;
  if (differsAtMs !== null && shownMs >= differsAtMs) {
    const fromHere = `From ${formatInstant(differsAtMs, facts, "moment")} on, a replay of the recording differs from it`;
    return `${fromHere}, so later phones cannot be shown. ${picture}.`;
  }
  const why = pastFailure.value ?? failure;
  if (why !== null) return `${why} ${picture}.`;
  return exact !== null && exact.wantedMs === shownMs && exact.atMs < shownMs
    ? `${picture}; the exact state is ${Math.floor((100 * exact.atMs) / Math.max(1, shownMs))}% computed.`
    : `${picture}; the exact state follows.`;
}

/** The default speed, at which a whole recording plays in about two minutes. */
function speedFor(spanMs: number): number {
  return speeds.find((speed) => spanMs / speed <= 120_000) ?? 3600;
}
