import type { Attempt, Posting } from "../../delivery/index.js";
import type { Gateway } from "../../gateway/index.js";
import type { ReplyOutcomes } from "../../measure/index.js";
import type { Recording } from "../../store/index.js";
import { decodeEvent } from "../../wire/index.js";
import { ReplyReader } from "./reply-reader.js";
import type { CrossPartReplies } from "./cross-part-replies.js";

/** Applies the replies in accepted answers at the gateway, records their effects, and counts them. */
export class Replies {
  readonly #gateway: Gateway;
  readonly #recording: Recording;
  readonly #reader: ReplyReader;
  readonly #crossPartReplies: CrossPartReplies | undefined;
  readonly #outcomes: ReplyOutcomes;
  readonly #reasons = new Map<string, number>();
  #valid = 0;
  #ignored = 0;

  constructor(options: {
    readonly gateway: Gateway;
    readonly recording: Recording;
    /** See `ServicePreset`. */
    readonly replyToSender: boolean;
    /** Parts of a fleet only. */
    readonly crossPartReplies: CrossPartReplies | undefined;
    /** Records the outcomes of replies for the findings. */
    readonly outcomes: ReplyOutcomes;
  }) {
    this.#gateway = options.gateway;
    this.#recording = options.recording;
    this.#reader = new ReplyReader(options);
    this.#crossPartReplies = options.crossPartReplies;
    this.#outcomes = options.outcomes;
  }

  /** Replies that sent a message. */
  get valid(): number {
    return this.#valid;
  }

  /** Replies that were ignored. */
  get ignored(): number {
    return this.#ignored;
  }

  /** Ignored replies by reason. */
  get reasons(): ReadonlyMap<string, number> {
    return this.#reasons;
  }

  /** Applies the reply in an accepted answer, if it has one. */
  apply(attempt: Attempt): void {
    const reading = this.#reader.read(attempt);
    if (reading.kind === "none") return;
    const { effectAtMs, posting } = attempt;
    const effect =
      reading.kind === "reply" ? this.#gateway.applyReply(posting, reading.reply, phoneIn(posting)) : reading;
    if (reading.kind === "reply") this.#crossPartReplies?.checkReply(posting, reading.reply, effect);
    if (effect.kind === "ignored") {
      const { reason } = effect;
      this.#ignored++;
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
      this.#outcomes.recordIgnored({ reason, channel: posting.channel, number: posting.number, body: attempt.body });
    } else {
      this.#valid++;
      this.#outcomes.recordValid();
    }
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

/** The phone number in an event, to which a reply without an addressee goes. */
function phoneIn(posting: Posting): string | undefined {
  const { event } = decodeEvent(posting.body);
  return "phone" in event ? event.phone : undefined;
}
