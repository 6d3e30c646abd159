import { useState } from "preact/hooks";
import type { ClockView } from "../../protocol/index.js";
import { labPost } from "../connection/lab-client.js";
import { clock, connection, lab, run } from "../connection/state.js";
import { Button, Input, Popover, toastFailed } from "../design/index.js";
import { formatElapsed, formatInstant, formatSpeed } from "../format/index.js";
import { moment } from "../connection/moment.js";
import { isPresenting } from "../navigation/presenting.js";
import { PastButton } from "../time/time-bar.jsx";
import "./clock-control.css";

/** Virtual seconds per real second. */
const speeds = [1, 2, 5, 10, 60, 120, 300, 600, 3600];

const steps = [
  { span: "1m", label: "1 minute" },
  { span: "10m", label: "10 minutes" },
  { span: "1h", label: "1 hour" },
] as const;

interface ClockRequest {
  readonly paused?: boolean;
  readonly speed?: number;
  /** A span as in scenarios: `1h30m`. */
  readonly step?: string;
}

/** Changes the lab's clock. */
export function changeClock(request: ClockRequest): Promise<unknown> {
  return labPost("/clock", request);
}

/** The virtual time, and controls if the clock can be changed. */
export function ClockControl() {
  const facts = lab.value;
  const now = clock.value;
  const isOver = run.value?.isOver === true;
  if (facts === undefined || now === undefined) return null;
  return (
    <section class="clock" aria-label="Virtual clock">
      <div class="clock-now">
        <time class="clock-time design-number" title={`${formatElapsed(now.nowMs)} after the start`}>
          {formatInstant(now.nowMs, facts)}
        </time>
        <span class="design-fine design-cut" title={`Virtual time, ${facts.timezone}`}>
          {formatInstant(now.nowMs, facts, "day")}
          <span class="clock-zone"> {facts.timezone}</span>
        </span>
      </div>
      {facts.hasClock && !isOver ? (
        <Controls now={now} />
      ) : (
        <>
          <span class="design-aside">{isOver ? "The run is over" : unpacedReason(facts)}</span>
          <PastButton />
        </>
      )}
    </section>
  );
}

function unpacedReason({ mode }: { readonly mode: "serve" | "run" }): string {
  return mode === "run"
    ? "This run is not paced: it has no speed to change"
    : "This is a recording: its clock is stopped";
}

function Controls({ now }: { readonly now: ClockView }) {
  const [busy, setBusy] = useState<"pause" | "step" | "speed">();
  const isInPast = moment.value !== undefined;
  const isDisabled = connection.value !== "live" || isInPast;
  const change = async (what: NonNullable<typeof busy>, request: ClockRequest): Promise<void> => {
    setBusy(what);
    try {
      await changeClock(request);
    } catch (error) {
      toastFailed(error);
    } finally {
      setBusy(undefined);
    }
  };
  const title = isInPast
    ? "The page shows the past: go back to now first"
    : isDisabled
      ? "The lab does not answer"
      : undefined;
  return (
    <div class="clock-controls">
      <Button
        icon={now.isPaused ? "play" : "pause"}
        isBusy={busy === "pause"}
        isDisabled={isDisabled}
        title={title}
        onPress={() => change("pause", { paused: !now.isPaused })}
      >
        {now.isPaused ? "Resume" : "Pause"}
      </Button>
      {!isPresenting.value && (
        <StepPopover
          isBusy={busy === "step"}
          isDisabled={isDisabled}
          isPaused={now.isPaused}
          onStep={(span) => change("step", { paused: true, step: span })}
        />
      )}
      <SpeedPopover
        speed={now.speed}
        isBusy={busy === "speed"}
        isDisabled={isDisabled}
        onChoose={(speed) => change("speed", { speed })}
      />
      <PastButton />
    </div>
  );
}

function StepPopover({
  isBusy,
  isDisabled,
  isPaused,
  onStep,
}: {
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly isPaused: boolean;
  readonly onStep: (span: string) => unknown;
}) {
  const [own, setOwn] = useState("");
  const isSound = /^(\d+(ms|s|m|h|d))+$/.test(own.replaceAll(" ", ""));
  return (
    <Popover
      trigger={({ isOpen, toggle }) => (
        <Button icon="step" isBusy={isBusy} isDisabled={isDisabled} isExpanded={isOpen} onPress={toggle}>
          Step
        </Button>
      )}
    >
      {(close) => {
        const step = (span: string): void => {
          close();
          onStep(span);
        };
        return (
          <form
            class="clock-step"
            onSubmit={(event) => {
              event.preventDefault();
              if (isSound) step(own.replaceAll(" ", ""));
            }}
          >
            {steps.map(({ span, label }) => (
              <Button key={span} kind="quiet" onPress={() => step(span)}>
                {label}
              </Button>
            ))}
            <div class="clock-step-own">
              <Input
                label="Another span"
                isLabelUnseen
                placeholder="1h30m"
                value={own}
                onChange={setOwn}
                size={8}
                error={own === "" || isSound ? undefined : "A span such as 90s, 15m or 1h30m"}
              />
              <Button isSubmit isDisabled={!isSound}>
                Step
              </Button>
            </div>
            <p class="clock-step-note design-fine">
              {isPaused ? "The clock stays paused." : "This pauses the clock, then steps it."}
            </p>
          </form>
        );
      }}
    </Popover>
  );
}

function SpeedPopover({
  speed,
  isBusy,
  isDisabled,
  onChoose,
}: {
  readonly speed: number;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onChoose: (speed: number) => unknown;
}) {
  const offered = speeds.includes(speed) || speed <= 0 ? speeds : [...speeds, speed].sort((a, b) => a - b);
  return (
    <Popover
      trigger={({ isOpen, toggle }) => (
        <Button
          isBusy={isBusy}
          isDisabled={isDisabled}
          isExpanded={isOpen}
          title="Virtual seconds in a real second"
          onPress={toggle}
        >
          <span class="design-unseen">Speed </span>
          <span class="design-number">{speed > 0 ? formatSpeed(speed) : "–"}</span>
        </Button>
      )}
    >
      {(close) => (
        <div class="clock-speeds" role="group" aria-label="Speed">
          {offered.map((each) => (
            <Button
              key={each}
              kind="quiet"
              isPressed={each === speed}
              onPress={() => {
                close();
                onChoose(each);
              }}
            >
              {formatSpeed(each)}
            </Button>
          ))}
          <p class="clock-step-note design-fine">Virtual seconds in a real second</p>
        </div>
      )}
    </Popover>
  );
}
