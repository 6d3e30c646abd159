import type { LedgerReport } from "../../ledger/index.js";
import { digestOfRecording } from "../../store/index.js";
import type { LabRun } from "./lab-run.js";
import type { LabFace } from "./lab-face.js";

/** A lab at an instant, as plain data. Times are ISO 8601, UTC. */
export interface LabSnapshot {
  readonly at: string;
  readonly handsets: readonly {
    readonly handset: string;
    readonly phone: string;
    /** Percent. */
    readonly battery: number;
    readonly isOn: boolean;
    /** The data link in use. */
    readonly link: string;
    /** Messages that it is to send. */
    readonly outbox: number;
    /** Reports that wait for a sync. */
    readonly reports: number;
    /** Why it does not relay; null when it does. */
    readonly blockedBy: string | null;
  }[];
  readonly heard: readonly { readonly at: string; readonly person: string; readonly text: string }[];
  readonly events: readonly {
    readonly id: string;
    readonly at: string;
    readonly type: string;
    readonly body: string;
    readonly state: string;
    /** Status or error of each attempt. */
    readonly answers: readonly (number | string)[];
  }[];
  readonly ledger: LedgerReport;
  /** SHA-256 over the events: equal where the same events were made at the same instants. */
  readonly digest: string;
}

/** Reads a lab. */
export function snapshotOf(lab: LabFace, { lab: { world }, recording }: LabRun): LabSnapshot {
  const events = lab.events();
  return {
    at: lab.now.toISOString(),
    handsets: world.channels().map((channel) => {
      const { power, link, outbox, reports, blockedBy } = world.inspectHandset(channel);
      const { selector, phone } = world.handset(channel);
      return {
        handset: selector,
        phone,
        battery: Math.round(power.level * 10) / 10,
        isOn: power.isOn,
        link,
        outbox: outbox.messages.length,
        reports: reports.length,
        blockedBy,
      };
    }),
    heard: lab.heard.map(({ at, person, text }) => ({ at, person, text })),
    events: events.map(({ id, at, type, body, state, attempts }) => ({
      id,
      at,
      type,
      body,
      state,
      answers: attempts.map(({ status, error, outcome }) => status ?? error ?? outcome),
    })),
    ledger: lab.ledger(),
    digest: digestOfRecording(recording.reader()),
  };
}
