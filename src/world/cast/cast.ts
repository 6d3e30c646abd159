import type { Distribution } from "../../sim/index.js";
import type { EventType, PatternSpec } from "../../wire/index.js";
import type { NetworkType, SendFailShare } from "../network.js";
import type { BatteryReports, CallEnd, Plug } from "../phone-words.js";
import type { Profile } from "../profiles/profile.js";
import type { Selector } from "./selector.js";

/** The carriers, handsets, people and traffic of a scenario, as checked plain data. */
export interface Cast {
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Duration of the run. */
  readonly lastsMs: number;
  /** IANA zone, for the daily traffic curve. */
  readonly timezone: string;
  readonly carriers: readonly CarrierSpec[];
  /** In file order; channels count from 1 through the groups. */
  readonly handsets: readonly HandsetGroup[];
  /** In file order. */
  readonly people: readonly PeopleGroup[];
  readonly traffic: readonly TrafficSpec[];
}

/** How a carrier brings a text of several segments to a handset. */
export const longTextForms = ["whole", "parts", "shuffled"] as const;

/**
 * One of {@link longTextForms}. `whole`: one text; `parts`: a text for each segment, each with a delay of its own;
 * `shuffled`: one text, its segments in the order of such delays.
 */
export type LongTextForm = (typeof longTextForms)[number];

/** The order in which a person's phone shows the segments of a long text. */
export const partsOrders = ["as-sent", "any", "reversed"] as const;

/** One of {@link partsOrders}. */
export type PartsOrder = (typeof partsOrders)[number];

/** A mobile network. */
export interface CarrierSpec {
  readonly name: string;
  /** From sender to phone, milliseconds. */
  readonly delay: Distribution<number>;
  /** Shares 0..1. */
  readonly loses: number;
  readonly duplicates: number;
  /** Share of segments from handsets that the network refuses; absent: none. */
  readonly refuses?: number;
  /** Share of delivered texts for which the network reports delivery. */
  readonly reportsDelivery: number;
  /** How long after delivery the report comes, milliseconds. */
  readonly reportsAfter: Distribution<number>;
  /** Share of texts that the network reports as delivered when it accepts them, even if it loses them; absent: none. */
  readonly reportsEarly?: number;
  /** Whether the network reports the delivery of each segment; absent: once for each text. */
  readonly reportsParts?: boolean;
  /** A text that waits is dropped this long after it was sent; Infinity: never. */
  readonly expiresAfterMs: number;
  /** Texts to and from all handsets together, per millisecond, in equal shares; Infinity: no limit. */
  readonly carriesPerMs: number;
  readonly longTexts: LongTextForm;
  /** Of long texts to people; absent: as sent. */
  readonly partsOrder?: PartsOrder;
}

/** The properties of a carrier that can change during a run. */
export type CarrierSettings = Omit<CarrierSpec, "name">;

/** Phone numbers of a group: `+2507880{00000}` is prefix, first counter value and digits; `suffix` follows it. */
export interface PhonePattern {
  readonly prefix: string;
  readonly first: number;
  /** Digits of the counter; 0: the prefix is the whole number, and empty for people who withhold it. */
  readonly digits: number;
  readonly suffix: string;
}

/** The number of a group's member. */
export function phoneOf(pattern: PhonePattern, member: number): string {
  if (pattern.digits === 0) return pattern.prefix;
  // `join` gives a flat string; `+` would keep a rope (V8 ConsString).
  return [pattern.prefix, String(pattern.first + member).padStart(pattern.digits, "0"), pattern.suffix].join("");
}

/**
 * Which member of a group has a number: the inverse of `phoneOf`.
 *
 * @returns undefined when no member has exactly this number, digit for digit
 */
export function memberOf(
  { phone: { prefix, first, digits, suffix }, count }: { readonly phone: PhonePattern; readonly count: number },
  number: string,
): number | undefined {
  if (digits === 0) return number === prefix ? 0 : undefined;
  // A longer number can have the same prefix and suffix: `+250781100000001` and `+2507811{00000}`.
  if (number.length !== prefix.length + digits + suffix.length) return undefined;
  if (!number.startsWith(prefix) || !number.endsWith(suffix)) return undefined;
  const counter = number.slice(prefix.length, prefix.length + digits);
  if (!/^\d+$/.test(counter)) return undefined;
  const member = Number(counter) - first;
  return member >= 0 && member < count ? member : undefined;
}

/** A SIM that is put into each handset of a group. */
export interface SimSpec {
  /** Its numbers: a handset has the one of its place in the group. */
  readonly phone: PhonePattern;
  /**
   * Name of a carrier of the cast. Absent: that of the number's last SIM, else of the SIM in the slot, else of the
   * handset's first SIM.
   */
  readonly carrier?: string | undefined;
  /** Units; absent: what the number has left, else no limit. */
  readonly credit?: number | undefined;
  /** Whether texts go out from it; absent: no. */
  readonly sends?: boolean;
}

/** Handsets of one kind. */
export interface HandsetGroup {
  readonly name: string;
  readonly count: number;
  readonly phone: PhonePattern;
  /** Name of a carrier of the cast. */
  readonly carrier: string;
  /** What pages and reports call the group; absent: `name`. */
  readonly displayName?: string;
  /** Percent at the start. */
  readonly battery: Distribution<number>;
  /** Whether the mains are on at the start. */
  readonly mains: boolean;
  /** What it charges from; absent: `ac`. */
  readonly plug?: Plug;
  /** What the phone reports of its battery at the start; absent: `ok`. */
  readonly batteryReports?: BatteryReports;
  readonly network: NetworkType;
  /** The second data link at the start; absent: none. */
  readonly secondNetwork?: NetworkType;
  /** What each handset draws for itself instead of `mains`, `network` and `solar`; absent: nothing. */
  readonly varies?: {
    readonly mains?: Distribution<"on" | "off" | Plug>;
    readonly network?: Distribution<NetworkType>;
    readonly solar?: Distribution<number>;
  };
  /** What a solar panel gives under a sun at the zenith, percentage points an hour; absent: there is none. */
  readonly solar?: Distribution<number>;
  /** Cover of the sky above the panel in percent, drawn for each day; absent: clear. */
  readonly clouds?: Distribution<number>;
  /** Where the panel is; absent: not known, and the panel gives nothing. */
  readonly place?: Place;
  /** Where pictures of the fleet show the group; absent: nowhere in particular. The world itself does not use it. */
  readonly onPicture?: Place | PlanePlace;
  /** Units on the SIM at the start; absent: no limit. */
  readonly credit?: number;
  /** The share of segments that the radio refuses at the start; absent: none. */
  readonly smsFails?: SendFailShare;
  /** The SIM in slot 2 at the start; absent: none. */
  readonly secondSim?: SimSpec;
  /** With the scenario's overrides, packs and faults applied. */
  readonly profile: Profile;
  /** How far the phone's clock is ahead of the true one, milliseconds; may be negative. */
  readonly clockSkew: Distribution<number>;
  /** Share of incoming calls that are answered. */
  readonly picksUp: number;
  /** Own delivery URL of these channels. */
  readonly receiver?: string;
  /** The types of events that the account forwards from these channels; absent: all. */
  readonly events?: readonly EventType[];
}

/** A place on the earth, in degrees; south and west are negative. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A place on a plane of any scale: `x` grows to the east, `y` to the north. */
export interface PlanePlace {
  readonly x: number;
  readonly y: number;
}

/** People of one kind. */
export interface PeopleGroup {
  readonly name: string;
  readonly count: number;
  /** Numbers, or for `sender: MTN` the same short code or name for everyone (digits 0). */
  readonly phone: PhonePattern;
  readonly displayName?: Distribution<string>;
  /** ISO 639-3. */
  readonly language?: string;
  /** Home handsets: person i of P belongs to handset floor(i × H / P) of the H selected. */
  readonly of: Selector;
  /** How they answer texts; of several habits, the first one whose pattern matches. Absent: they do not. */
  readonly replies?: ReplyHabit | readonly ReplyHabit[];
  /** How they answer the questions of flows; absent: they do not. `replies` does not also answer such a question. */
  readonly answers?: AnswerHabit;
  /** Share of calls from a handset that this person answers. */
  readonly picksUp: number;
}

/** How people answer texts. */
export interface ReplyHabit {
  /** The texts that they answer; absent: all. It compiles. */
  readonly to?: PatternSpec;
  readonly chance: number;
  readonly after: Distribution<number>;
  /** Draws a text; a whole number becomes one. */
  readonly with: Distribution<string>;
}

/** How a person can react to a question of a flow. */
export const answerKinds = ["right", "wrong", "silent", "late", "stop"] as const;

/** One of {@link answerKinds}. */
export type AnswerKind = (typeof answerKinds)[number];

/** How people answer the questions of flows. Spans are milliseconds. */
export interface AnswerHabit {
  /** Names and UUIDs of the flows whose questions they answer, in lower case; absent: of all flows. */
  readonly flows?: readonly string[];
  /** The shares of all kinds add up to 1. */
  readonly shares: Readonly<Record<AnswerKind, number>>;
  /** From the last text of the question to the answer. */
  readonly after: Distribution<number>;
  /** From the last text of the question to a late answer. */
  readonly lateAfter: Distribution<number>;
}

/** One entry of `traffic`. The rates of its shape apply to the whole entry. */
export interface TrafficSpec {
  /** Name by which a hand selects the entry, instead of by its number. */
  readonly name?: string;
  readonly kind: "texts" | "calls" | "sends";
  /** texts: who text. calls: who dial or are called. sends: to whom the service writes. */
  readonly people: Selector;
  /**
   * texts: the handsets written to. calls: the handsets that are called or dial. sends: the handsets through which the
   * service sends.
   */
  readonly handsets: Selector;
  /** calls: who dials. */
  readonly from: "people" | "handsets";
  readonly body?: Distribution<string>;
  /** calls: ringing time of an unanswered call, milliseconds. */
  readonly rings?: Distribution<number>;
  /** calls: talking time of an answered call, milliseconds. */
  readonly talks?: Distribution<number>;
  /** calls by people: how they end, if neither answered nor missed. */
  readonly ends?: CallEnd;
  /** `times`: arrivals come at the times of `at`, and the shape is ignored. */
  readonly arrivals: "poisson" | "even" | "burst" | "times";
  /** burst: interval of bursts; default a minute. */
  readonly everyMs?: number;
  /** times: ascending. */
  readonly at?: readonly Arrival[];
  readonly fromMs: number;
  readonly untilMs: number;
  /** The rate over time. */
  readonly shape: RateShape;
  /**
   * The number of senders that a per-sender rate was multiplied by; absent: the rate was written for the whole entry.
   */
  readonly each?: number;
}

/** An arrival at a given time. */
export interface Arrival {
  readonly atMs: number;
  /** The senders of this arrival; absent: the next sender in turn. */
  readonly senders?: Selector;
}

/** A rate of arrivals over time. */
export type RateShape =
  /** Per millisecond, constant. */
  | { readonly kind: "constant"; readonly perMs: number }
  /** A day's curve by local hour with mean `perMs`; `byHour`: 24 factors with mean 1, default a typical day. */
  | { readonly kind: "diurnal"; readonly perMs: number; readonly byHour?: readonly number[] }
  /** Consecutive pieces from `fromMs` on; the rate is linear from `startPerMs` to `endPerMs`. */
  | {
      readonly kind: "pieces";
      readonly pieces: readonly { readonly startPerMs: number; readonly endPerMs: number; readonly lastsMs: number }[];
    };
