import type { Journal } from "../../gateway/index.js";
import type { Kernel } from "../../sim/index.js";
import type { AccountPorts } from "../account-ports.js";

/** Most different sentences about flows in one run's log; thousands of contacts can have the same problem. */
const NOTES_MAX = 1000;

/** Most different contacts that are counted, over all sentences. */
const PEOPLE_MAX = 100_000;

/** Most problems among the run's warnings, because a survey may have hundreds. */
const WARNED_MAX = 5;

/** A problem of flows that was written to the log. */
interface LoggedProblem {
  readonly kind: string;
  /** The different contacts with the problem; empty when it is not about contacts. */
  readonly people: Set<number>;
  times: number;
  /** Whether more contacts have the problem than were counted. */
  hasMorePeople: boolean;
}

/** Logs what flows failed to do, each sentence once, and counts its occurrences. */
export class FlowNotes {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #ports: Pick<AccountPorts, "noted">;
  readonly #written = new Map<string, LoggedProblem>();
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

  /**
   * Warnings about what flows, campaigns and schedules could not do, except sending e-mails, which they never do. They
   * are in the order of their first appearance, so a cause comes before its effects.
   */
  warnings(): string[] {
    const problems = [...this.#written].filter(([, { kind }]) => kind !== "flow-email");
    const shown = problems.length > WARNED_MAX ? problems.slice(0, WARNED_MAX - 1) : problems;
    const others = problems.length - shown.length;
    const texts = shown.map(([text, problem]) => text + oftenText(problem));
    return others === 0 ? texts : [...texts, `${others} more problems of flows: table note of the recording`];
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

  #countPerson(written: LoggedProblem, contact: number | undefined): void {
    if (contact === undefined || written.people.has(contact)) return;
    if (this.#peopleCount >= PEOPLE_MAX) {
      written.hasMorePeople = true;
      return;
    }
    written.people.add(contact);
    this.#peopleCount++;
  }
}

function oftenText({ times, people, hasMorePeople }: LoggedProblem): string {
  if (times === 1) return "";
  if (people.size === 0) return ` (${times} times)`;
  const peopleText = `${people.size} ${people.size === 1 ? "person" : "people"}`;
  return ` (${times} times, ${hasMorePeople ? "at least " : ""}${peopleText})`;
}
