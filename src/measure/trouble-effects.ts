import { type EventName, eventKey } from "./event-name.js";
import { troubleOfCode } from "./trouble-code.js";

/** Maximum of events that are tracked; further ones count as untroubled. */
const MAX_TRACKED = 1_048_576;

/** What trouble between the service and the receiver did, as far as it explains how a receiver behaves. */
export class TroubleEffects {
  /** Events that were held back, or of which an attempt was lost. */
  readonly #troubled = new Set<number>();
  #copies = 0;
  #lost = 0;

  /** Requests that were sent once more at the same time. */
  get copies(): number {
    return this.#copies;
  }

  /** Attempts that got no answer. */
  get lost(): number {
    return this.#lost;
  }

  /** Records that an event was held back before an attempt. */
  recordHeld(event: EventName): void {
    this.#track(event);
  }

  recordCopy(): void {
    this.#copies++;
  }

  /** Records an attempt when it takes effect. */
  recordAttempt(attempt: EventName & { readonly error: string | null }): void {
    if (attempt.error === null || troubleOfCode(attempt.error) === undefined) return;
    this.#lost++;
    this.#track(attempt);
  }

  /** Whether trouble explains that an event comes late or twice. */
  explains(event: EventName): boolean {
    return this.#troubled.size > 0 && this.#troubled.has(eventKey(event));
  }

  #track(event: EventName): void {
    if (this.#troubled.size < MAX_TRACKED) this.#troubled.add(eventKey(event));
  }
}
