import type { Journal } from "../../gateway/index.js";
import type { Kernel } from "../../sim/index.js";
import type { AccountPorts } from "../account-ports.js";

/** Maximum number of different sentences about flows in one run's log: thousands of contacts meet the same problem. */
const NOTES_MAX = 1000;

/** Maximum number of different people that are counted, over all sentences. */
const PEOPLE_MAX = 100_000;

/** A problem of flows, as a sentence, and how often it occurred. */
export interface FlowProblem {
  /** Without a full stop. */
  readonly text: string;
  readonly times: number;
  /** Number of different contacts with the problem; 0: it is not about contacts. */
  readonly people: number;
  /** Whether more contacts have the problem than were counted. */
  readonly hasMorePeople: boolean;
}

/** A sentence that was written. */
interface Written {
  readonly kind: string;
  readonly people: Set<number>;
  times: number;
  hasMorePeople: boolean;
}

/** Writes what flows could not do to the log of the run, each sentence once, and counts how often it occurs. */
export class FlowNotes {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #ports: Pick<AccountPorts, "noted">;
  readonly #written = new Map<string, Written>();
  #peopleCount = 0;

  constructor(options: {
    readonly kernel: Kernel;
    readonly journal: Journal;
    readonly ports: Pick<AccountPorts, "noted">;
  }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#ports = options.ports;
  }

  /** All sentences but those about e-mails, which are never sent: what the flows' author wants to know. */
  get problems(): readonly FlowProblem[] {
    return [...this.#written].flatMap(([text, { kind, times, people, hasMorePeople }]) =>
      kind === "flow-email" ? [] : [{ text, times, people: people.size, hasMorePeople }],
    );
  }

  /**
   * @param kind - a stable word such as `flow-error`
   * @param text - a sentence without the contact's name, so that it is the same for all contacts
   * @param contact - row of the contact with the problem
   */
  note(kind: string, text: string, contact?: number): void {
    const known = this.#written.get(text);
    if (known !== undefined) {
      known.times++;
      this.#countPerson(known, contact);
      return;
    }
    if (this.#written.size >= NOTES_MAX) return;
    const written = { kind, times: 1, people: new Set<number>(), hasMorePeople: false };
    this.#written.set(text, written);
    this.#countPerson(written, contact);
    const isLast = this.#written.size === NOTES_MAX;
    const shown = isLast ? `${text} (further problems of flows are not logged)` : text;
    this.#journal.note({ atMs: this.#kernel.now, channel: 0, kind, text: shown });
    this.#ports.noted?.({ kind, text: shown });
  }

  #countPerson(written: Written, contact: number | undefined): void {
    if (contact === undefined || written.people.has(contact)) return;
    if (this.#peopleCount >= PEOPLE_MAX) {
      written.hasMorePeople = true;
      return;
    }
    written.people.add(contact);
    this.#peopleCount++;
  }
}
