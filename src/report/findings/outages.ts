import { eventId, type Outage } from "../../measure/index.js";
import { countOf } from "../number-format.js";
import type { CommandEnd, Finding, FindingFacts } from "./finding.js";
import {
  connectionsText,
  eachUnderWayText,
  eventText,
  repeatedEvents,
  repeatedText,
  unansweredText,
  underWayText,
} from "./outage-phrases.js";
import { clockText, timeRangeText } from "./phrases.js";

/** If more events than this break their connection at each try, the cause is not a single event. */
const BREAKING_MAX = 5;

/** Least severity of an outage: it is always worth the headline. */
const SEVERITY_LEAST = 0.02;

/**
 * A receiver that died, was away, or stopped answering, and events that break their connection at each try. The text
 * names what was under way, and what was special about it.
 */
export function outageFindings(facts: FindingFacts): Finding[] {
  const { outages, answers, commandEnd } = facts;
  const receivers = new Set(outages.map(({ receiver }) => receiver));
  const ended = commandEnd?.receiver ?? "";
  if ((answers.get(ended)?.count ?? 0) > 0) receivers.add(ended);
  const found = [...receivers].flatMap((receiver) => new OutageWriter(receiver, facts).findings());
  return [...found, ...breakingFinding(facts)];
}

/** The failures that no outage explains: the counts exclude those that outages explain. */
export function unexplainedFailures({ failures, outages }: FindingFacts): FindingFacts["failures"] {
  const explained = new Map<string, number>();
  for (const { errors } of outages) {
    for (const [code, count] of Object.entries(errors)) {
      const kind = code === "ETIMEDOUT" ? "timeout" : code;
      explained.set(kind, (explained.get(kind) ?? 0) + count);
    }
  }
  return failures
    .map((failure) => ({ ...failure, count: failure.count - (explained.get(failure.kind) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** Writes the findings about one receiver. */
class OutageWriter {
  readonly #receiver: string;
  readonly #facts: FindingFacts;
  readonly #outages: readonly Outage[];
  /** How the receiver's command ended by itself; undefined when it did not, or the run has not started one. */
  readonly #commandEnd: CommandEnd | undefined;

  /** @param receiver - origin of its URL */
  constructor(receiver: string, facts: FindingFacts) {
    this.#receiver = receiver;
    this.#facts = facts;
    this.#outages = facts.outages.filter((outage) => outage.receiver === receiver);
    this.#commandEnd = facts.commandEnd?.receiver === receiver ? facts.commandEnd : undefined;
  }

  findings(): Finding[] {
    const last = this.#outages.at(-1);
    const open = last?.untilMs === null ? last : undefined;
    const past = open === undefined ? this.#outages : this.#outages.slice(0, -1);
    if (this.#commandEnd !== undefined) return [this.#death(open, past)];
    if (open?.isAbsent === true && !this.#facts.isPlaying) return [this.#death(open, past)];
    const away = past.length === 0 ? [] : [this.#away(past)];
    if (open === undefined) return away;
    return [open.isAbsent ? this.#gone(open) : this.#silence(open), ...away];
  }

  /** @param death - undefined when the receiver's command ended and no attempt was made after that */
  #death(death: Outage | undefined, past: readonly Outage[]): Finding {
    const { answers, specialOf, beginsMs } = this.#facts;
    const { count = 0, lastMs = 0 } = answers.get(this.#receiver) ?? {};
    const all = death === undefined ? past : [...past, death];
    const how = [this.#commandEnd?.how ?? "", death === undefined ? "" : connectionsText(death)].filter(Boolean);
    const repeated = repeatedEvents(all);
    const underWay =
      repeated !== undefined
        ? repeatedText(repeated, all, specialOf)
        : death !== undefined && death.underWayCount > 0
          ? `under way: ${underWayText(death, specialOf)}`
          : `nothing was under way, and its last answer was at ${this.#clock(lastMs)}`;
    const before = past.length === 0 ? "" : `; it had been away ${countOf(past.length, "time")} before`;
    return this.#finding("death", all, {
      text:
        `${this.#name} ${this.#commandEnd?.isFailure === false ? "ended by itself" : "died"} at ` +
        `${clockText((death?.fromMs ?? lastMs) - beginsMs)}${how.length === 0 ? "" : ` (${how.join("; ")})`}, after ` +
        `${countOf(death?.answers ?? count, "answer")}${before}; ${underWay}.`,
    });
  }

  #away(past: readonly Outage[]): Finding {
    const { specialOf, beginsMs } = this.#facts;
    const first = past[0] as Outage;
    const span = timeRangeText(first.fromMs - beginsMs, (first.untilMs ?? first.fromMs) - beginsMs);
    const times = past.length === 1 ? "" : `${countOf(past.length, "time")}, first `;
    const repeated = repeatedEvents(past);
    const named =
      repeated !== undefined
        ? repeatedText(repeated, past, specialOf)
        : past.length > 1
          ? `under way when it went: ${eachUnderWayText(past, beginsMs, specialOf)}`
          : `under way when it went: ${underWayText(first, specialOf)}`;
    const hasUnderWay = past.some(({ underWayCount }) => underWayCount > 0);
    return this.#finding("away", past, {
      text:
        `${this.#name} was away ${times}${span} (${connectionsText(first)}), after ${countOf(first.answers, "answer")}; ` +
        `${hasUnderWay ? named : "nothing was under way when it went"}.`,
    });
  }

  /** The finding about a receiver that is away while the run plays, and may come back. */
  #gone(open: Outage): Finding {
    const { specialOf } = this.#facts;
    const underWay = open.underWayCount === 0 ? "" : `; under way when it went: ${underWayText(open, specialOf)}`;
    return this.#finding("away", [open], {
      text:
        `${this.#name} has been away since ${this.#clock(open.fromMs)} (${connectionsText(open)}), after ` +
        `${countOf(open.answers, "answer")}${underWay}.`,
    });
  }

  #silence(open: Outage): Finding {
    const [first] = open.underWay;
    const which = first === undefined ? "" : `; the first was ${eventText(first, this.#facts.specialOf)}`;
    return this.#finding("unanswered", [open], {
      text:
        `${this.#name} stopped answering at ${this.#clock(open.fromMs)}, after ${countOf(open.answers, "answer")}: ` +
        `${unansweredText(open)}${which}.`,
    });
  }

  #finding(
    kind: "death" | "away" | "unanswered",
    outages: readonly Outage[],
    { text }: Pick<Finding, "text">,
  ): Finding {
    const [first] = outages.flatMap(({ underWay }) => underWay);
    const event = repeatedEvents(outages)?.events[0] ?? first;
    const failed = outages.reduce((sum, { errors }) => sum + Object.values(errors).reduce((a, b) => a + b, 0), 0);
    return {
      kind,
      weight: "bad",
      ...(this.#facts.answers.size > 1 && { of: this.#receiver }),
      text,
      where: event === undefined ? this.#reportPart : `handset why RECORDING ${eventId(event)}`,
      severity: Math.min(1, Math.max(SEVERITY_LEAST, failed / Math.max(1, this.#facts.attempts))),
    };
  }

  /** Where the report helps if no event was in flight. */
  get #reportPart(): string {
    return this.#commandEnd === undefined ? "report: Failed attempts" : "report: The receiver's output";
  }

  get #name(): string {
    return this.#facts.answers.size > 1 ? `The receiver at ${this.#receiver}` : "The receiver";
  }

  #clock(ms: number): string {
    return clockText(ms - this.#facts.beginsMs);
  }
}

/**
 * Events whose connection broke at each try, while others were answered: a worker of the receiver died, or closed it.
 * Events at an outage are excluded: those that were in flight together are retried together, and break together.
 */
function breakingFinding({ breaking, outages, specialOf }: FindingFacts): Finding[] {
  const [first, ...more] = breaking;
  if (first === undefined || breaking.length > BREAKING_MAX || outages.length > 0) return [];
  const others = more.length === 0 ? "" : `, and so did ${countOf(more.length, "other event")}`;
  return [
    {
      kind: "poison",
      weight: "bad",
      text:
        `${eventText(first, specialOf)} broke the connection at each of its ${first.tries} tries${others}; the receiver ` +
        "answered the other events.",
      where: `handset why RECORDING ${eventId(first)}`,
      severity: SEVERITY_LEAST,
    },
  ];
}
