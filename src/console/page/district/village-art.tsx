import { type FleetGroup, handsetStates, stateOf } from "../../protocol/index.js";
import type { FleetState } from "../connection/state.js";
import { stateLooks } from "../domain/handset-state.js";
import { formatCounted } from "../format/index.js";
import type { Disc } from "./layout.js";
import { factsAt, type VillageState } from "./village-state.js";
import { peopleSpots, PHONES_DRAWN, phoneSpot, UNIT } from "./ways.js";

const house = "M-13 0v-15L0-27l13 12V0z";
const roof = "M-17-13 0-29l17 16z";

/** A village: ground, houses with lit windows, mast, mains and phones. Its colours follow its state. */
export function VillageArt({
  disc,
  group,
  state,
  fleet,
}: {
  readonly disc: Disc;
  readonly group: FleetGroup;
  readonly state: VillageState;
  readonly fleet: FleetState;
}) {
  const { hasPower, hasLink, alarms, waiting } = state;
  return (
    <g
      class={hasPower ? undefined : "district-dark"}
      transform={`translate(${disc.x} ${disc.y}) scale(${disc.radius / UNIT})`}
    >
      <ellipse class="district-glow" cy="8" rx="70" ry="56" />
      <ellipse class="district-ground" cy="8" rx="60" ry="47" />
      <Mains />
      <Mast hasLink={hasLink} />
      <House x={-22} y={-8} size={0.9} />
      <House x={18} y={-11} size={0.8} />
      <House x={-1} y={12} size={1.12} />
      {peopleSpots.map(({ x, y }, nth) => (
        <g key={nth} class="district-person" transform={`translate(${x} ${y})`}>
          <circle cy="-9" r="4" />
          <path d="M-5.5 4c0-5.5 2-8 5.5-8s5.5 2.5 5.5 8z" />
        </g>
      ))}
      <Phones group={group} fleet={fleet} />
      {waiting >= 5 && <Pile count={waiting} />}
      {alarms > 0 && <Alarm />}
    </g>
  );
}

function House({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path class="district-wall" d={house} />
      <path class="district-roof" d={roof} />
      <path class="district-window" d="M-8.5-11h6v6h-6zM2.5-11h6v6h-6z" />
    </g>
  );
}

/** The mast, with waves while phones have a link. */
function Mast({ hasLink }: { readonly hasLink: boolean }) {
  return (
    <g transform="translate(43 12)">
      <path class="district-pole" d="M-7 0 0-46 7 0M-5.4-11h10.8M-3.6-23h7.2M-5.4-11 3.6-23M5.4-11-3.6-23" />
      <circle class="district-tip" cy="-48" r="3.2" />
      {hasLink ? (
        <path
          class="district-waves"
          d="M-7.5-40.5a10.6 10.6 0 0 1 0-15M7.5-40.5a10.6 10.6 0 0 0 0-15M-13-35a18.4 18.4 0 0 1 0-26M13-35a18.4 18.4 0 0 0 0-26"
        />
      ) : (
        <path class="district-cross" d="m-9-57 18 18m0-18L-9-39" />
      )}
    </g>
  );
}

/** The mains: a pole with its line, and a bolt that is struck out without power. */
function Mains() {
  return (
    <g transform="translate(-45 8)">
      <path class="district-pole" d="M0 4v-40M-9-31H9M-6-25H6" />
      <path class="district-wire" d="M8-31Q20-22 28-30" />
      <g transform="translate(0 -46)">
        <circle class="district-bolt-ground" r="11" />
        <path class="district-bolt" d="M1.5-8-5 1.5h4L-1.5 8 5-1.5H1z" />
        <path class="district-bolt-cross" d="m-9-9 18 18" />
      </g>
    </g>
  );
}

/** Up to sixteen phones, each in the colour of its state; of more, a bar with the share of each state. */
function Phones({ group, fleet }: { readonly group: FleetGroup; readonly fleet: FleetState }) {
  if (group.count > PHONES_DRAWN) return <PhoneBar group={group} fleet={fleet} />;
  return (
    <>
      {Array.from({ length: group.count }, (_, nth) => {
        const { x, y } = phoneSpot(nth, group.count);
        const state = stateOf(factsAt(fleet.columns, group.firstChannel - 1 + nth));
        return (
          <g key={nth} class="district-phone" transform={`translate(${x} ${y})`}>
            <rect x="-4.6" y="-7.5" width="9.2" height="15" rx="2" style={{ fill: `var(${stateLooks[state].fill})` }} />
          </g>
        );
      })}
    </>
  );
}

function PhoneBar({ group, fleet }: { readonly group: FleetGroup; readonly fleet: FleetState }) {
  const counts = handsetStates.map(() => 0);
  for (let index = group.firstChannel - 1; index < group.firstChannel - 1 + group.count; index++) {
    const state = handsetStates.indexOf(stateOf(factsAt(fleet.columns, index)));
    counts[state] = (counts[state] ?? 0) + 1;
  }
  let x = -42;
  return (
    <g class="district-bar">
      {handsetStates.map((state, nth) => {
        const width = (84 * (counts[nth] ?? 0)) / group.count;
        x += width;
        return (
          width > 0 && (
            <rect
              key={state}
              x={x - width}
              y="22"
              width={width}
              height="13"
              style={{ fill: `var(${stateLooks[state].fill})` }}
            />
          )
        );
      })}
      <text class="district-bar-count" y="46">
        {formatCounted(group.count, "phone")}
      </text>
    </g>
  );
}

/** What waits on the phones, as a heap of letters that grows. */
function Pile({ count }: { readonly count: number }) {
  const letters = Math.min(10, Math.ceil(Math.log2(count)));
  const rows = [4, 3, 2, 1];
  const spots = rows.flatMap((inRow, row) =>
    Array.from({ length: inRow }, (_, nth) => ({ x: (nth - (inRow - 1) / 2) * 14.5, y: -row * 10 })),
  );
  return (
    <g class="district-pile" transform="translate(0 12)">
      {spots.slice(0, letters).map(({ x, y }) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <rect x="-7" y="-5" width="14" height="10" rx="1.5" />
          <path d="m-6-3.5L0 1l6-4.5" />
        </g>
      ))}
    </g>
  );
}

function Alarm() {
  return (
    <g transform="translate(-4 -45)">
      <circle class="district-alarm-ring" r="24" />
      <path class="district-alarm-sign" d="M0-19 20 15h-40z" />
      <path class="district-alarm-mark" d="M0-7v10M0 9v.5" />
    </g>
  );
}
