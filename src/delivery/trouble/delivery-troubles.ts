import { type Distribution, sample, type Stream } from "../../sim/index.js";
import { type CutPlace, formField, losingTroubles, troubleNames, type TroubleKind } from "../../wire/index.js";
import type { Posting } from "../types.js";
import type { MetTrouble, Trouble } from "./trouble.js";

/** One trouble on the way to the receiver: which attempts meet it, and what it does to them. */
export type TroubleRule = RuleScope & TroubleEffect;

/** Which attempts meet a trouble. */
export interface RuleScope {
  /** The share of the attempts, 0 to 1. */
  readonly share: number;
  /** Event types; absent: all. */
  readonly types?: ReadonlySet<string>;
  /** Numbers of the people that the events are about; absent: all events, also those about nobody. */
  readonly phones?: ReadonlySet<string>;
  /** How many attempts still meet it, over all channels of the rule. Absent: no bound. */
  readonly times?: { left: number };
}

/** What a trouble does. */
export type TroubleEffect =
  | { readonly kind: "answers-lost" | "requests-lost" | "refused" }
  /** Virtual milliseconds; number of events; number of requests; bytes in a second. */
  | { readonly kind: "delay" | "overtaken-by" | "copies" | "slow"; readonly amount: Distribution<number> }
  | { readonly kind: "cut"; readonly place: CutPlace };

/** The troubles of all channels, and what each attempt meets. Without a rule it costs one comparison for each attempt. */
export class DeliveryTroubles {
  readonly #rules = new Map<number, readonly TroubleRule[]>();
  readonly #streamOf: (channel: number, name: string) => Stream;

  /**
   * @param streamOf - a stream of the channel's handset. Each attempt draws from its own, named after event and try: the
   *   draws do not depend on the pace, on other attempts or on the part of a fleet
   */
  constructor(streamOf: (channel: number, name: string) => Stream) {
    this.#streamOf = streamOf;
  }

  /** Whether any channel has a trouble. */
  get isActive(): boolean {
    return this.#rules.size > 0;
  }

  /**
   * Adds a rule to channels. Rules of several kinds hold together; of one kind with the same types and people, the
   * latest holds.
   */
  add(rule: TroubleRule, channels: readonly number[]): void {
    for (const channel of channels) {
      const others = this.#rulesOf(channel).filter((one) => !isReplaced(one, rule));
      this.#setRules(channel, [...others, rule]);
    }
  }

  /** Ends one rule in channels; one that was replaced meanwhile is gone already. */
  remove(rule: TroubleRule, channels: readonly number[]): void {
    for (const channel of channels)
      this.#setRules(
        channel,
        this.#rulesOf(channel).filter((one) => one !== rule),
      );
  }

  /** Ends all troubles of channels. */
  clear(channels: readonly number[]): void {
    for (const channel of channels) this.#setRules(channel, []);
  }

  /**
   * Draws what an attempt meets; undefined: nothing. Call it once for each attempt.
   *
   * @param options - `isHolding`: an event of the channel waits to be overtaken, so this one is not held for that
   */
  draw(posting: Posting, tryNumber: number, { isHolding }: { readonly isHolding: boolean }): Trouble | undefined {
    if (this.#rules.size === 0) return undefined;
    const rules = this.#rules.get(posting.channel)?.filter((rule) => isAbout(rule, posting));
    if (rules === undefined || rules.length === 0) return undefined;
    const stream = this.#streamOf(posting.channel, `delivery/${posting.number}/${tryNumber}`);
    const met = new Map<TroubleKind, Met>();
    for (const rule of rules) {
      if (rule.kind === "overtaken-by" && isHolding) continue;
      if (rule.share < 1 && !stream.chance(rule.share)) continue;
      if (rule.times !== undefined) rule.times.left--;
      met.set(rule.kind, effectOf(rule, stream));
    }
    return met.size === 0 ? undefined : troubleOf(met);
  }

  #rulesOf(channel: number): readonly TroubleRule[] {
    return this.#rules.get(channel) ?? [];
  }

  #setRules(channel: number, rules: readonly TroubleRule[]): void {
    if (rules.length === 0) this.#rules.delete(channel);
    else this.#rules.set(channel, rules);
  }
}

/** A drawn effect: its amount or place, absent where it has none. */
interface Met {
  readonly amount?: number;
  readonly place?: CutPlace;
}

function effectOf(rule: TroubleEffect, stream: Stream): Met {
  switch (rule.kind) {
    case "answers-lost":
    case "requests-lost":
    case "refused":
      return {};
    case "cut":
      return { place: rule.place };
    case "delay":
    case "overtaken-by":
    case "copies":
    case "slow":
      return { amount: Math.max(0, Math.round(sample(rule.amount, stream))) };
    default:
      return rule satisfies never;
  }
}

function troubleOf(met: ReadonlyMap<TroubleKind, Met>): Trouble {
  const losing = losingTroubles.find((kind) => met.has(kind));
  // Held until others have left, it needs no delay; a request that does not leave is neither slow nor doubled.
  const leaves = losing !== "refused" && losing !== "requests-lost";
  const overtakenBy = met.get("overtaken-by")?.amount;
  const delayMs = overtakenBy === undefined ? met.get("delay")?.amount : undefined;
  const copies = leaves ? met.get("copies")?.amount : undefined;
  const bytesPerS = leaves ? met.get("slow")?.amount : undefined;
  const place = losing === "cut" ? met.get("cut")?.place : undefined;
  const holds: Partial<Record<TroubleKind, string>> = {
    ...(losing !== undefined && { [losing]: place ?? "" }),
    ...(delayMs !== undefined && { delay: `${delayMs} ms` }),
    ...(overtakenBy !== undefined && { "overtaken-by": String(overtakenBy) }),
    ...(copies !== undefined && { copies: String(copies) }),
    ...(bytesPerS !== undefined && { slow: `${bytesPerS} B/s` }),
  };
  return {
    met: troubleNames.flatMap((kind): MetTrouble[] => {
      const value = holds[kind];
      return value === undefined ? [] : [{ kind, value }];
    }),
    delayMs,
    overtakenBy,
    copies,
    loss: losing,
    cut: place,
    bytesPerS,
  };
}

function isAbout({ types, phones, times }: RuleScope, { type, body }: Posting): boolean {
  if (times !== undefined && times.left <= 0) return false;
  if (types !== undefined && !types.has(type)) return false;
  if (phones === undefined) return true;
  // The person, in every spelling (docs/events.md#spellings).
  const phone = formField(body, "phone");
  return phone !== undefined && phones.has(phone);
}

function isReplaced(one: TroubleRule, by: TroubleRule): boolean {
  return one.kind === by.kind && isSame(one.types, by.types) && isSame(one.phones, by.phones);
}

function isSame(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.size !== other.size) return false;
  for (const item of one) if (!other.has(item)) return false;
  return true;
}
