import { formatCount, formatCounted } from "../format/index.js";
import { handsetStates } from "../../protocol/index.js";
import { stateLooks } from "../domain/handset-state.js";
import type { VillageState } from "./village-state.js";

/** A village with its name. */
export interface NamedVillage {
  readonly label: string;
  readonly state: VillageState;
  /** Texts that it sends at once, after they waited; 0: it does not. */
  readonly storm: number;
}

/** The state of the whole picture. */
export interface PictureFacts {
  readonly villages: readonly NamedVillage[];
  /** How the receiver fails: `500`; empty: unknown. Undefined: it does not. */
  readonly trouble: string | undefined;
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
export function headlineOf({ villages, trouble, retrying }: PictureFacts, isPlain: boolean): Headline {
  const waiting = villages.reduce((sum, { state }) => sum + state.waiting, 0);
  const what = isPlain ? "" : waiting === 1 ? " text or report" : " texts and reports";
  const waits = waiting === 0 ? "" : `${formatCount(waiting)}${what} ${waiting === 1 ? "waits" : "wait"}`;
  if (trouble !== undefined) {
    if (isPlain) {
      return { tone: "bad", text: "The application is down", detail: `${formatCount(retrying)} are sent again later` };
    }
    const answers = trouble === "" ? "fails" : /^\d+$/.test(trouble) ? `answers ${trouble}` : `fails: ${trouble}`;
    return { tone: "bad", text: `The receiver ${answers}`, detail: `${formatCount(retrying)} wait for another try` };
  }
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

/** Texts and reports on the phones of a village from which it counts as a queue. */
export const QUEUE_FROM = 20;

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
  const names = villages.map(({ label }) => label);
  if (names.length > 3) return `${names.length} villages`;
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
