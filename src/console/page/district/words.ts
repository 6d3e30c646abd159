import { formatCount, formatCounted } from "../format/index.js";
import { handsetStates } from "../../protocol/index.js";
import { stateLooks } from "../domain/handset-state.js";
import { QUEUE_FROM, type VillageState } from "./village-state.js";

/** A village with its name. */
export interface NamedVillage {
  readonly label: string;
  readonly state: VillageState;
  /** Texts that it sends at once, after they waited; 0: it does not. */
  readonly storm: number;
}

/**
 * The receiver at the shown moment. `unknown`: nothing tells it, because it was sent nothing; `none`: the lab has none.
 */
export type ReceiverState =
  | { readonly is: "fine" | "unknown" | "none" }
  | {
      readonly is: "failing";
      /** The most frequent result: `500`, `Timed out`; undefined: unknown. */
      readonly cause: string | undefined;
      /** In the past: the failed attempts of the period around the moment, and the period in words. */
      readonly past?: { readonly failed: number; readonly period: string };
    };

/** The state of the whole picture. */
export interface PictureFacts {
  readonly villages: readonly NamedVillage[];
  readonly receiver: ReceiverState;
  /** Events that wait for another attempt. */
  readonly retrying: number;
}

/** What the line above the picture says. */
export interface Headline {
  readonly tone: "fine" | "warning" | "bad";
  readonly text: string;
  /** With numbers, which change too often to be read aloud. */
  readonly detail: string;
}

/** The most important thing that the picture shows, in a sentence. @param isPlain - without words of engineers */
export function headlineOf({ villages, receiver, retrying }: PictureFacts, isPlain: boolean): Headline {
  if (receiver.is === "failing") return failureOf(receiver, retrying, isPlain);
  const waiting = villages.reduce((sum, { state }) => sum + state.waiting, 0);
  const what = isPlain ? "" : waiting === 1 ? " text or report" : " texts and reports";
  const waits = waiting === 0 ? "" : `${formatCount(waiting)}${what} ${waiting === 1 ? "waits" : "wait"}`;
  const dark = villages.filter(({ state }) => !state.hasPower);
  if (dark.length > 0) {
    return { tone: "bad", text: `${listOf(dark)} ${dark.length === 1 ? "has" : "have"} no power`, detail: waits };
  }
  const stormy = villages.filter(({ storm }) => storm > 0);
  if (stormy.length > 0) {
    const count = stormy.reduce((sum, { storm }) => sum + storm, 0);
    const sends = stormy.length === 1 ? "sends" : "send";
    return {
      tone: "warning",
      text: `${listOf(stormy)} ${sends} everything at once`,
      detail: formatCounted(count, "text"),
    };
  }
  const silent = villages.filter(({ state }) => !state.hasLink);
  if (silent.length > 0) {
    return { tone: "bad", text: `${listOf(silent)} ${silent.length === 1 ? "has" : "have"} no network`, detail: waits };
  }
  const alarmed = villages.filter(({ state }) => state.alarms > 0);
  if (alarmed.length > 0) return { tone: "bad", text: `Alarm in ${listOf(alarmed)}`, detail: waits };
  const queueing = villages.filter(({ state }) => state.waiting >= QUEUE_FROM);
  if (queueing.length > 0) return { tone: "warning", text: `Texts wait in ${listOf(queueing)}`, detail: waits };
  return { tone: "fine", text: "All villages are connected", detail: "" };
}

function failureOf(
  { cause, past }: Extract<ReceiverState, { is: "failing" }>,
  retrying: number,
  isPlain: boolean,
): Headline {
  const waits = isPlain
    ? `${formatCount(retrying)} ${retrying === 1 ? "is" : "are"} sent again later`
    : `${formatCount(retrying)} ${retrying === 1 ? "waits" : "wait"} for another try`;
  const details = [...(past === undefined ? [] : [past.period]), ...(retrying > 0 ? [waits] : [])];
  return { tone: "bad", text: failureWords(cause, past?.failed, isPlain), detail: details.join("; ") };
}

function failureWords(cause: string | undefined, failed: number | undefined, isPlain: boolean): string {
  if (isPlain) return failed === undefined ? "The application is down" : "The application was down";
  if (failed !== undefined) return `The receiver failed ${formatCounted(failed, "attempt")}`;
  if (cause === undefined) return "The receiver fails";
  return /^\d+$/.test(cause) ? `The receiver answers ${cause}` : `The receiver fails: ${cause}`;
}

/** What the label of the receiver says; undefined: nothing is wrong. */
export function receiverMark(receiver: ReceiverState): string | undefined {
  if (receiver.is !== "failing") return undefined;
  const { cause, past } = receiver;
  if (past !== undefined) return `${formatCounted(past.failed, "attempt")} failed`;
  return cause === undefined ? "Fails" : `Fails: ${cause}`;
}

/** What is said below a village's name; undefined: all is well. */
export function troubleOf({ hasPower, hasLink, alarms }: VillageState): string | undefined {
  if (!hasPower) return "No power";
  if (!hasLink) return "No network";
  return alarms > 0 ? formatCounted(alarms, "alarm") : undefined;
}

/** Everything about a village in a sentence, for screen readers. */
export function villageSentence({ label, state, storm }: NamedVillage): string {
  const { phones, hasPower, hasLink, waiting, alarms, counts } = state;
  const others = handsetStates.flatMap((word, nth) =>
    (counts[nth] ?? 0) > 0 ? [`${counts[nth]} ${stateLooks[word].label.toLowerCase()}`] : [],
  );
  return [
    `${label}: ${formatCounted(phones, "phone")}`,
    hasPower ? "power" : "no power",
    hasLink ? "network" : "no network",
    ...(waiting > 0 ? [`${formatCount(waiting)} waiting`] : []),
    ...(alarms > 0 ? [formatCounted(alarms, "alarm")] : []),
    ...(storm > 0 ? [`sends ${formatCounted(storm, "text")} at once`] : []),
    `phones: ${others.join(", ")}`,
  ].join(", ");
}

function listOf(villages: readonly NamedVillage[]): string {
  const names = villages.map(({ label }) => isolated(label));
  if (names.length > 3) return `${names.length} villages`;
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Keeps a name that is written from right to left from reordering the words around it. */
function isolated(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
}
