import { readableDuration } from "../number-format.js";
import { characterTraits } from "./character-traits.js";

/** The fields of an event that traits read. */
export interface EventFields {
  readonly channel: number;
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
  /** By the phone's clock, milliseconds since 1970; undefined: none. */
  readonly timeMs: number | undefined;
  /** Why it is a copy of another event, as a predicate; undefined when it is not a copy. */
  readonly copy: string | undefined;
  /** For `mt_dlvd`: what happened to its `mt_sent`, as a predicate; undefined when that was accepted before. */
  readonly missingSent: string | undefined;
}

/** A property that an event has and most others lack, as a predicate: `has an empty text`. */
export interface Trait {
  /** Stable word, to count the events that have it. */
  readonly key: string;
  readonly text: string;
}

/** Most people whose last texts are kept: 100,000 take some ten megabytes. */
const PEOPLE_MAX = 100_000;

/** A time is out of order if it is this far before an earlier one of its phone, or this far after all earlier ones. */
const BEHIND_MS = 5 * 60_000;
const AHEAD_MS = 24 * 3_600_000;

/** A text is long if it needs more than one SMS. */
const LONG_CHARACTERS = 160;

/** Traits that imply "outside ASCII". */
const nonAscii: ReadonlySet<string> = new Set(["emoji", "right-to-left", "cjk", "ethiopic"]);

/**
 * Finds the traits of an event in comparison with earlier ones. Call `remember` for each event that later ones are
 * compared with.
 */
export class TraitFinder {
  /** By person: the last text. */
  readonly #lastTexts = new Map<string, string>();
  readonly #channels = new Set<number>();
  readonly #lastTimes = new Map<number, number>();
  #latestMs = -Infinity;
  #longest = 0;

  traitsOf(event: EventFields): Trait[] {
    const { copy, missingSent, channel } = event;
    return [
      ...(missingSent === undefined ? [] : [{ key: "missing-sent", text: missingSent }]),
      ...(copy === undefined ? [] : [{ key: "copy", text: copy }]),
      ...this.#textTraits(event),
      ...this.#personTraits(event),
      ...this.#timeTraits(event),
      ...(this.#channels.has(channel) ? [] : [{ key: "channel", text: "is the first of its phone" }]),
    ];
  }

  remember({ fields, channel, timeMs }: EventFields): void {
    const [phone, text] = [fields.get("phone"), fields.get("text")];
    if (text !== undefined) this.#longest = Math.max(this.#longest, text.length);
    if (phone !== undefined && (this.#lastTexts.size < PEOPLE_MAX || this.#lastTexts.has(phone)))
      this.#lastTexts.set(phone, text ?? this.#lastTexts.get(phone) ?? "");
    this.#channels.add(channel);
    if (timeMs === undefined) return;
    this.#lastTimes.set(channel, Math.max(timeMs, this.#lastTimes.get(channel) ?? -Infinity));
    this.#latestMs = Math.max(this.#latestMs, timeMs);
  }

  #textTraits({ fields }: EventFields): Trait[] {
    const text = fields.get("text");
    if (text === undefined) return [];
    const found = characterTraits.filter(([, pattern]) => pattern.test(text));
    const hasScript = found.some(([key]) => nonAscii.has(key));
    const isLongest = text.length > LONG_CHARACTERS && text.length > this.#longest;
    return [
      ...found.filter(([key]) => key !== "non-ascii" || !hasScript).map(([key, , about]) => ({ key, text: about })),
      ...(isLongest ? [{ key: "longest", text: `has the longest text, of ${text.length} characters` }] : []),
    ];
  }

  #personTraits({ fields }: EventFields): Trait[] {
    const [phone, text] = [fields.get("phone"), fields.get("text")];
    if (phone === undefined) return [{ key: "no-phone", text: "has no phone" }];
    const last = this.#lastTexts.get(phone);
    return [
      ...(/^\+?\d+$/.test(phone) ? [] : [{ key: "name", text: "has a phone that is no number" }]),
      ...(last === undefined && this.#lastTexts.size < PEOPLE_MAX
        ? [{ key: "person", text: "is the first about its person" }]
        : []),
      ...(last !== undefined && text !== undefined && text !== "" && last === text
        ? [{ key: "repeated", text: "repeats the last text of its person" }]
        : []),
    ];
  }

  #timeTraits({ channel, timeMs }: EventFields): Trait[] {
    if (timeMs === undefined) return [];
    const behindMs = (this.#lastTimes.get(channel) ?? -Infinity) - timeMs;
    const aheadMs = timeMs - this.#latestMs;
    return [
      ...(behindMs > BEHIND_MS
        ? [{ key: "behind", text: `has a time ${readableDuration(behindMs)} before an earlier event of its phone` }]
        : []),
      ...(aheadMs > AHEAD_MS && Number.isFinite(aheadMs)
        ? [{ key: "ahead", text: `has a time ${readableDuration(aheadMs)} after all before` }]
        : []),
    ];
  }
}
