import type { Attempt, Posting } from "../delivery/index.js";
import type { Gateway } from "../gateway/index.js";
import type { Recording } from "../store/index.js";
import { decodeEvent } from "../wire/index.js";
import { ReplyReader } from "./reply-reader.js";
import type { ReplyWatch } from "./reply-watch.js";

/** What accepted answers asked for: has the gateway do it, records what came of it, and counts. */
export class Replies {
  readonly #gateway: Gateway;
  readonly #recording: Recording;
  readonly #reader: ReplyReader;
  readonly #watch: ReplyWatch | undefined;
  readonly #reasons = new Map<string, number>();
  #valid = 0;
  #ignored = 0;

  constructor(options: {
    readonly gateway: Gateway;
    readonly recording: Recording;
    /** As of the service's preset. */
    readonly replyToSender: boolean;
    /** Where a part of a fleet is played. */
    readonly watch: ReplyWatch | undefined;
  }) {
    this.#gateway = options.gateway;
    this.#recording = options.recording;
    this.#reader = new ReplyReader(options);
    this.#watch = options.watch;
  }

  /** Messages that answers have sent. */
  get valid(): number {
    return this.#valid;
  }

  /** Answers that asked for one in vain. */
  get ignored(): number {
    return this.#ignored;
  }

  /** Why, and how often. */
  get reasons(): ReadonlyMap<string, number> {
    return this.#reasons;
  }

  /** Has the gateway do what an accepted answer asks for, and records the effect. */
  apply(attempt: Attempt): void {
    const reading = this.#reader.read(attempt);
    if (reading.kind === "none") return;
    const { effectAtMs, posting } = attempt;
    const effect =
      reading.kind === "reply" ? this.#gateway.applyReply(posting, reading.reply, phoneIn(posting)) : reading;
    if (reading.kind === "reply") this.#watch?.look(posting, reading.reply, effect);
    if (effect.kind === "ignored") {
      this.#ignored++;
      this.#reasons.set(effect.reason, (this.#reasons.get(effect.reason) ?? 0) + 1);
    } else this.#valid++;
    this.#recording.reply({
      atMs: effectAtMs,
      channel: posting.channel,
      number: posting.number,
      kind: effect.kind === "ignored" ? "ignored" : "valid",
      reason: effect.kind === "ignored" ? effect.reason : null,
      detail: effect.kind === "ignored" ? effect.detail : null,
    });
  }
}

/** The number that an event is about, for replies that name nobody. */
function phoneIn(posting: Posting): string | undefined {
  const { event } = decodeEvent(posting.body);
  return "phone" in event ? event.phone : undefined;
}
