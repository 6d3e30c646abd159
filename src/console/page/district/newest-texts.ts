import type { SampledText } from "./dot-flow.js";

/** A text on the picture in words. */
export interface Bubble {
  readonly key: string;
  readonly kind: "text" | "message";
  readonly village: number;
  readonly phone: string;
  readonly body: string;
  readonly untilMs: number;
}

/** How long a bubble stays, milliseconds. */
const BUBBLE_MS = 5200;
/** A text's way to the phone, after which a message's bubble appears, milliseconds. */
const MESSAGE_MS = 1700;
/** Shortest time between two new bubbles, milliseconds. */
const BUBBLE_EVERY_MS = 1100;
/** Most bubbles at a time. */
const BUBBLES_MAX = 3;

/**
 * Chooses which texts the picture shows in words: at most one of each village, and the answer after its question. Pure:
 * the caller passes the time.
 */
export class NewestTexts {
  #shown: readonly Bubble[] = [];
  /** Answers on their way, with the time at which they appear. */
  #due: readonly { readonly bubble: Bubble; readonly fromMs: number }[] = [];
  #newestMs = -Infinity;

  add({ kind, village, phone, body }: SampledText, nowMs: number): void {
    if (phone === null || body === null || body.trim() === "") return;
    const own = this.#shown.find((bubble) => bubble.phone === phone);
    const bubble = { key: `${kind} ${phone}`, kind, village, phone, body };
    if (kind === "message") {
      if (own?.kind !== "text") return;
      const fromMs = nowMs + MESSAGE_MS;
      this.#due = [...this.#due, { bubble: { ...bubble, untilMs: fromMs + BUBBLE_MS }, fromMs }];
    } else if (own === undefined && nowMs - this.#newestMs >= BUBBLE_EVERY_MS) {
      this.#newestMs = nowMs;
      this.#show({ ...bubble, untilMs: nowMs + BUBBLE_MS });
    }
  }

  /** The bubbles at a time, oldest first: the same list as before if none has changed. */
  at(nowMs: number): readonly Bubble[] {
    const due = this.#due.filter(({ fromMs }) => fromMs <= nowMs);
    if (due.length > 0) this.#due = this.#due.filter(({ fromMs }) => fromMs > nowMs);
    for (const { bubble } of due) this.#show(bubble);
    if (this.#shown.some(({ untilMs }) => untilMs <= nowMs)) {
      this.#shown = this.#shown.filter(({ untilMs }) => untilMs > nowMs);
    }
    return this.#shown;
  }

  clear(): void {
    this.#shown = [];
    this.#due = [];
  }

  #show(bubble: Bubble): void {
    const others = this.#shown.filter(({ phone, village }) => phone !== bubble.phone && village !== bubble.village);
    this.#shown = [...others, bubble].slice(-BUBBLES_MAX);
  }
}
