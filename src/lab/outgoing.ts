import type { Posting } from "../delivery/index.js";
import type { EventRow } from "../gateway/index.js";
import type { Ledger } from "../ledger/index.js";
import { Digest, type UndeliveredEvent } from "../store/index.js";
import type { LabOptions } from "./lab-options.js";

/** An event that is to go out; `url` null: it goes nowhere, see `isForwarded`. */
type OutgoingEvent = Omit<Posting, "url"> & {
  readonly url: string | null;
  /** False: the account does not forward events of its type. Default true. */
  readonly isForwarded?: boolean;
};

export interface OutgoingOptions<T> extends Pick<LabOptions, "happened" | "sabotage"> {
  readonly ledger: Ledger;
  /** Told of each event before it is posted. */
  readonly emitted: (event: T) => void;
  /** `try` counts from 1. */
  readonly post: (posting: Posting, options: { readonly try: number }) => void;
}

/** The events of a run or a replay on their way out: counted, hashed, told and posted. */
export class Outgoing<T extends EventRow & OutgoingEvent> {
  readonly #options: OutgoingOptions<T>;
  readonly #digest = new Digest();
  readonly #counts = new Map<string, number>();
  #count = 0;
  /** Events of a change that is not committed yet. */
  #held: Posting[] | undefined;

  constructor(options: OutgoingOptions<T>) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** The same by type. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** As of `Digest.hex`: ends it. */
  digest(): string {
    return this.#digest.hex();
  }

  emit(event: T): void {
    const { emitted, happened, sabotage } = this.#options;
    const { channel, number, atMs, type, body } = event;
    this.#count++;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    this.#digest.add(event);
    emitted(event);
    happened?.({ kind: "event", channel, number, atMs, type, body });
    if (sabotage?.(event) === true) return;
    this.#post(event, 1);
  }

  /** Goes on with events whose delivery was cut off, by the delivery URLs of now. */
  postAgain(events: readonly UndeliveredEvent[], urlOf: (channel: number) => string | null): void {
    for (const { tries, ...event } of events) {
      this.#options.ledger.in("events");
      this.#post({ ...event, url: urlOf(event.channel) }, tries + 1);
    }
  }

  /**
   * Events that come of it go out when it has returned, which is when it is committed. Where it throws they are not
   * recorded, and nobody is to hear of them.
   */
  holdDuring<T>(act: () => T): T {
    const held: Posting[] = (this.#held = []);
    try {
      const result = act();
      for (const posting of held.splice(0)) this.#options.post(posting, { try: 1 });
      return result;
    } finally {
      this.#held = undefined;
      if (held.length > 0) this.#options.ledger.lost("events", "taken-back", held.length);
    }
  }

  #post(event: OutgoingEvent, tryNumber: number): void {
    const { ledger } = this.#options;
    if (event.isForwarded === false) ledger.lost("events", "not-forwarded");
    else if (!hasUrl(event)) ledger.lost("events", "no-receiver");
    else if (this.#held !== undefined) this.#held.push(event);
    else this.#options.post(event, { try: tryNumber });
  }
}

function hasUrl(event: OutgoingEvent): event is Posting {
  return event.url !== null;
}
