import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FleetGroup } from "../../protocol/index.js";
import { moment } from "../connection/moment.js";
import { isExact, pastFailure, pictureMs } from "../connection/past-state.js";
import { fleet, type FleetState, lab } from "../connection/state.js";
import { colourOf, EmptyState, isDark, Loading } from "../design/index.js";
import { Time } from "../domain/time.jsx";
import { formatCount, formatInstant } from "../format/index.js";
import { linkTo } from "../navigation/routes.js";
import { Bubbles } from "./bubbles.jsx";
import { DotCanvas } from "./dot-canvas.js";
import { ReceiverArt, ServiceArt } from "./hub-art.jsx";
import { type Disc, layoutPicture, type PictureLayout } from "./layout.js";
import { projectPlaces } from "./places.js";
import { LandArt } from "./land-art.jsx";
import { awaitsPicture, pictureFacts } from "./picture-facts.js";
import { TrafficDesk } from "./traffic-desk.js";
import { usePictureRoom } from "./use-picture-room.js";
import { VillageArt } from "./village-art.jsx";
import { VillageLabels } from "./village-labels.jsx";
import { type Headline, headlineOf, type PictureFacts, receiverMark } from "./words.js";
import "./district.css";

/** Most groups that are drawn; the fleet has all. */
const VILLAGES_MAX = 200;

/** The picture of the district: villages with their phones, the service, the receiver, and the texts between them. */
export function DistrictView() {
  const wake = useRef<() => void>(() => undefined);
  const desk = useMemo(() => new TrafficDesk(() => wake.current()), []);
  useEffect(() => desk.open(), [desk]);
  const now = fleet.value;
  const facts = pictureFacts(desk.storms.value);
  return (
    // The present must not be seen under a time of the past.
    <div class={awaitsPicture() ? "district district-awaits" : "district"}>
      <h1 class="design-unseen">District</h1>
      <HeadlineLine facts={facts} />
      <PastLine />
      {now === undefined ? (
        <Loading label="Waiting for the lab" lines={6} />
      ) : now.count === 0 ? (
        <EmptyState icon="phone" title="This lab has no handsets">
          Its scenario names none under “handsets”.
        </EmptyState>
      ) : (
        <Picture desk={desk} now={now} facts={facts} onWake={(run) => (wake.current = run)} />
      )}
    </div>
  );
}

/** Shortest time between two sentences for screen readers, milliseconds. */
const SAID_EVERY_MS = 8000;

/** What the picture shows in a sentence. It is read aloud without its numbers, and not often. */
function HeadlineLine({ facts }: { readonly facts: PictureFacts }) {
  const exact = headlineOf(facts, false);
  const plain = headlineOf(facts, true);
  const now = useSlowly(moment.value === undefined ? exact.text : "", SAID_EVERY_MS);
  const said = moment.value === undefined ? now : saidOfPast(exact.text);
  return (
    <div class={`district-headline district-headline-${exact.tone}`}>
      <p class="district-exact" aria-hidden="true">
        <Words of={exact} />
      </p>
      <p class="district-plain" aria-hidden="true">
        <Words of={plain} />
      </p>
      <p class="design-unseen" role="status">
        {said}
      </p>
    </div>
  );
}

/** In the past nothing is said while the handle moves. */
function saidOfPast(text: string): string {
  const [atMs, frame] = [pictureMs.value, lab.value];
  if (!isExact.value || atMs === undefined || frame === undefined) return "";
  return `${formatInstant(atMs, frame, "moment")}: ${text}`;
}

/** In the past: of which moment the picture is, and that it shows no traffic. */
function PastLine() {
  const [wantedMs, shownMs] = [moment.value, pictureMs.value];
  if (wantedMs === undefined || shownMs === undefined) return null;
  return (
    <p class="district-past">
      The picture is of <Time atMs={shownMs} show="moment" />
      {shownMs !== wantedMs && (
        <>
          ; <Time atMs={wantedMs} show="moment" /> {pastFailure.value === undefined ? "follows" : "cannot be shown"}
        </>
      )}
      . Texts on their way are not shown in the past.
    </p>
  );
}

function Words({ of: { text, detail } }: { readonly of: Headline }) {
  return (
    <>
      <strong>{text}</strong>
      {detail !== "" && <span class="district-detail"> {detail}</span>}
    </>
  );
}

/** A text that changes at most once in `everyMs`; an empty one takes effect at once. */
function useSlowly(text: string, everyMs: number): string {
  const [shown, setShown] = useState(text);
  const changedAt = useRef(0);
  useEffect(() => {
    if (text === shown) return undefined;
    const show = (): void => {
      changedAt.current = performance.now();
      setShown(text);
    };
    const waitMs = text === "" || shown === "" ? 0 : Math.max(0, changedAt.current + everyMs - performance.now());
    const timer = setTimeout(show, waitMs);
    return () => clearTimeout(timer);
  }, [text, shown, everyMs]);
  return text === "" ? "" : shown;
}

function Picture({
  desk,
  now,
  facts,
  onWake,
}: {
  readonly desk: TrafficDesk;
  readonly now: FleetState;
  readonly facts: PictureFacts;
  readonly onWake: (run: () => void) => void;
}) {
  const { ref, room } = usePictureRoom();
  const groups = now.groups.slice(0, VILLAGES_MAX);
  const key = groups.map(({ place, name }) => `${name} ${JSON.stringify(place)}`).join();
  const layout = useMemo(
    () => room && layoutPicture(projectPlaces(groups.map(({ place }) => place)), room),
    [key, room],
  );
  return (
    <div ref={ref} class="district-room">
      {layout !== undefined && (
        <div class="district-picture" style={{ height: `${layout.room.height}px` }}>
          <Scene layout={layout} groups={groups} now={now} facts={facts} />
          <VillageLabels layout={layout} groups={groups} villages={facts.villages} counted={desk.counted.value} />
          <HubLabels layout={layout} facts={facts} />
          <DotLegend layout={layout} />
          <Dots desk={desk} layout={layout} groups={groups} onWake={onWake} />
          <Bubbles bubbles={desk.bubbles.value} layout={layout} />
        </div>
      )}
      {now.groups.length > VILLAGES_MAX && (
        <p class="design-aside">
          {formatCount(now.groups.length - VILLAGES_MAX)} more groups are in the <a href={linkTo("fleet")}>fleet</a>.
        </p>
      )}
    </div>
  );
}

function Scene({
  layout,
  groups,
  now,
  facts,
}: {
  readonly layout: PictureLayout;
  readonly groups: readonly FleetGroup[];
  readonly now: FleetState;
  readonly facts: PictureFacts;
}) {
  const { width, height } = layout.room;
  const { is } = facts.receiver;
  return (
    <svg class="district-scene" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <LandArt layout={layout} villages={facts.villages} isFailing={is === "failing"} />
      <ServiceArt disc={layout.service} />
      <ReceiverArt disc={layout.receiver} is={is} />
      {groups.map((group, index) => {
        const [disc, village] = [layout.villages[index], facts.villages[index]];
        return (
          disc !== undefined &&
          village !== undefined && (
            <VillageArt key={group.name} disc={disc} group={group} state={village.state} fleet={now} />
          )
        );
      })}
    </svg>
  );
}

/** Names of service and receiver, with what waits at the service. */
function HubLabels({ layout, facts }: { readonly layout: PictureLayout; readonly facts: PictureFacts }) {
  const { service, receiver } = layout;
  const mark = receiverMark(facts.receiver);
  return (
    <>
      <a class="district-hub-label" href={linkTo("service")} style={hubLabelPlace(service, layout)}>
        <strong>Service</strong>
        {facts.retrying > 0 && (
          <span class="district-pill district-pill-wait">
            {formatCount(facts.retrying)} <span class="district-exact">to retry</span>
            <span class="district-plain">wait</span>
          </span>
        )}
      </a>
      <a class="district-hub-label" href={linkTo("events")} style={hubLabelPlace(receiver, layout)}>
        <strong class="district-exact">{facts.receiver.is === "none" ? "No receiver" : "Receiver"}</strong>
        <strong class="district-plain">{facts.receiver.is === "none" ? "No application" : "Application"}</strong>
        {mark !== undefined && (
          <span class="district-pill district-pill-bad">
            <span class="district-exact">{mark}</span>
            <span class="district-plain">Down</span>
          </span>
        )}
      </a>
    </>
  );
}

/** The link covers the drawing. Its words are below it, on narrow pictures above it, because the ways end below. */
function hubLabelPlace({ x, y, radius }: Disc, { room, isPortrait }: PictureLayout) {
  const across = { left: `${x}px`, minWidth: `${2 * radius}px` };
  if (isPortrait) return { ...across, bottom: `${room.height - y - radius}px`, paddingBottom: `${2 * radius}px` };
  return { ...across, top: `${y - radius}px`, paddingTop: `${2 * radius + 6}px` };
}

/** What the colours of the dots mean. Narrow pictures have no room for it. */
function DotLegend({ layout: { isPortrait, land } }: { readonly layout: PictureLayout }) {
  if (isPortrait) return null;
  return (
    <ul class="district-legend" style={{ left: `${land.left + land.width + 8}px` }} aria-label="Colours">
      <li>Text from a person</li>
      <li class="district-legend-message">Message to a person</li>
    </ul>
  );
}

/** The canvas of the dots and streams. With reduced motion it is hidden: the counts on the ways stand for it. */
function Dots({
  desk,
  layout,
  groups,
  onWake,
}: {
  readonly desk: TrafficDesk;
  readonly layout: PictureLayout;
  readonly groups: readonly FleetGroup[];
  readonly onWake: (run: () => void) => void;
}) {
  const element = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<DotCanvas | undefined>(undefined);
  const dark = isDark.value;
  useEffect(() => {
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    if (element.current === null) return undefined;
    const made = new DotCanvas(element.current, desk.flow);
    drawn.current = made;
    onWake(() => {
      if (still.matches) desk.flow.advance(performance.now());
      else made.wake();
    });
    return () => {
      onWake(() => undefined);
      made.close();
    };
  }, [desk]);
  useEffect(() => {
    const colours = {
      text: colourOf("--district-text"),
      message: colourOf("--district-message"),
      refused: colourOf("--bad"),
      halo: colourOf("--district-halo"),
      font: getComputedStyle(document.body).fontFamily,
    };
    drawn.current?.show({ layout, colours, phones: groups });
  }, [desk, layout, dark]);
  return <canvas ref={element} class="district-dots" aria-hidden="true" />;
}
