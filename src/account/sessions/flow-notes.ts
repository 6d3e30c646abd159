import type { Journal } from "../../gateway/index.js";
import type { Kernel } from "../../sim/index.js";
import type { AccountPorts } from "../account-ports.js";

/** Maximum number of different sentences about flows in one run's log: thousands of contacts meet the same problem. */
const NOTES_MAX = 1000;

/** Writes what flows could not do to the log of the run: each sentence once. */
export class FlowNotes {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #ports: Pick<AccountPorts, "noted">;
  readonly #written = new Set<string>();
  readonly #problems: string[] = [];

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
  get problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * @param kind - a stable word such as `flow-error`
   * @param text - a sentence without the contact's name, so that it is the same for all contacts
   * @param channel - id of the channel; 0: none
   */
  note(kind: string, text: string, channel = 0): void {
    if (this.#written.size >= NOTES_MAX || this.#written.has(text)) return;
    this.#written.add(text);
    if (kind !== "flow-email") this.#problems.push(text);
    const isLast = this.#written.size === NOTES_MAX;
    const shown = isLast ? `${text} (further problems of flows are not logged)` : text;
    this.#journal.note({ atMs: this.#kernel.now, channel, kind, text: shown });
    this.#ports.noted?.({ kind, text: shown });
  }
}
