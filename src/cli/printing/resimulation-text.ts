import type { ChalkInstance } from "chalk";
import type { HandsetDetails } from "../../console/index.js";
import type { EventDifference, Resimulation } from "../../past/index.js";
import { phoneReason } from "../../report/index.js";
import { type DelayReason, onOneLine } from "../../wire/index.js";
import { clock, count } from "./numbers.js";

/** Most handsets that are listed when none was chosen. */
const LISTED_MAX = 30;
const SHOWN_MAX = 60;

interface Page {
  readonly paint: ChalkInstance;
  readonly width: number;
  /** The handsets were chosen, so that all are listed. */
  readonly isChosen: boolean;
}

/** Whether the run played again is as recorded, and a line for each handset. */
export function resimulationText(result: Resimulation, page: Page): string {
  const { name, atMs, at, handsets } = result;
  const { paint } = page;
  const head = `${paint.bold(onOneLine(name))} at ${clock(atMs)} (${at.replace("T", " ")})`;
  return `${[head, comparedText(result, page), "", ...handsetLines(handsets, page)].join("\n")}\n`;
}

function comparedText({ events, part, digest, difference, endsBecause }: Resimulation, { paint }: Page): string {
  if (difference !== null) return `${paint.red("✘")} ${differenceText(difference, events)}`;
  const noun = events === 1 ? "event" : "events";
  const whose = part === null ? "" : ` of part ${part} of the fleet`;
  const what = `${count(events)} ${noun}${whose} ${events === 1 ? "is" : "are"} the same as recorded`;
  const proof = digest === null ? "" : `; the digest is ${digest.slice(0, 16)}`;
  return `${paint.green("✔")} ${what}${proof}.${endsBecause === null ? "" : ` ${endsBecause}`}`;
}

function differenceText({ atMs, id, recorded, now }: EventDifference, events: number): string {
  const what =
    now === null
      ? "is recorded, and does not come when the run is played again"
      : recorded === null
        ? "is not recorded, and comes when the run is played again"
        : "is not as recorded";
  const bodies = [
    recorded === null ? [] : [`  recorded  ${onOneLine(recorded)}`],
    now === null ? [] : [`  now       ${onOneLine(now)}`],
  ];
  return [`${count(events)} events are the same; event ${id} at ${clock(atMs)} ${what}:`, ...bodies.flat()].join("\n");
}

function handsetLines(handsets: readonly HandsetDetails[], { paint, width, isChosen }: Page): string[] {
  const sorted = isChosen ? handsets : handsets.toSorted((a, b) => interestOf(b) - interestOf(a));
  const shown = sorted.slice(0, isChosen ? SHOWN_MAX : LISTED_MAX);
  const rows = [["handset", "battery", "network", "waits", ""], ...shown.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row, index) => {
    const padded = widths.map((size, column) => {
      const cell = row[column] ?? "";
      return column === 3 ? cell.padStart(size) : cell.padEnd(size);
    });
    const line = `  ${[...padded, row[4] ?? ""].join("  ")}`.trimEnd();
    const cut = line.length > width ? `${line.slice(0, width - 1)}…` : line;
    return index === 0 ? paint.dim(cut) : cut;
  });
  const left = sorted.length - shown.length;
  return left === 0 ? lines : [...lines, `  and ${count(left)} more: --of chooses handsets, --json has all`];
}

/** Phones that cannot work and those with much that waits come first; equal ones stay in their order. */
function interestOf(handset: HandsetDetails): number {
  return waitingOn(handset) + (handset.blocked_by === null && handset.unreachable_because === null ? 0 : 1e6);
}

/** What waits on the phone, and for it at the service. */
function waitingOn({ outbox, reports, unread, calls, at_service }: HandsetDetails): number {
  const unfinished = outbox.pending + outbox.retry;
  return unfinished + reports.count + unread.count + calls.unread + at_service.count;
}

function cellsOf(handset: HandsetDetails): string[] {
  const { selector, power, conditions, blocked_by, unreachable_because, sync } = handset;
  const { network, power_cut, mast_down, airplane } = conditions;
  const state = power.on ? (power.charging ? " charging" : "") : power.restarting ? " starts" : " off";
  const why = (blocked_by ?? unreachable_because ?? sync.put_off_by) as DelayReason | null;
  return [
    selector,
    `${Math.round(power.level)} %${state}`,
    power_cut || mast_down || airplane ? "none" : network,
    count(waitingOn(handset)),
    why === null ? "" : phoneReason(why),
  ];
}
