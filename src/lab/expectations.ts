import type { ExpectationResult } from "../report/index.js";
import type { Pattern, Step, StoryExpectation } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import { parseForm } from "../wire/index.js";
import type { World } from "../world/index.js";
import { compare } from "./compare.js";

/** One promise of the story, and what has been seen of it. */
interface Watch {
  readonly expectation: StoryExpectation;
  readonly fromMs: SimTime;
  readonly untilMs: SimTime;
  readonly matches: (text: string) => boolean;
  /** hears: the people who are meant, and of these who has heard it. */
  readonly people: readonly number[];
  readonly heardBy: Set<number>;
  /** event: the channels that are meant; undefined: all. */
  readonly channels: ReadonlySet<number> | undefined;
  readonly where: readonly (readonly [field: string, matches: (text: string) => boolean])[];
  count: number;
}

/** Watches what people hear and which events come into being, for the story's `expect` steps. */
export class Expectations {
  readonly #watches: Watch[] = [];
  readonly #byPerson = new Map<number, Watch[]>();
  readonly #byType = new Map<string, Watch[]>();

  constructor(story: readonly Step[], world: World) {
    for (const { atMs, input } of story) {
      if (input.to !== "expect") continue;
      const { expectation } = input;
      const isWindow = expectation.withinMs !== undefined;
      const watch: Watch = {
        expectation,
        fromMs: isWindow ? atMs : 0,
        untilMs: atMs + (expectation.withinMs ?? 0),
        matches: expectation.kind === "hears" ? matcher(expectation.pattern) : () => true,
        people: expectation.kind === "hears" ? world.peopleOf(expectation.people) : [],
        heardBy: new Set(),
        channels:
          expectation.kind === "event" && expectation.of !== undefined
            ? new Set(world.channelsOf(expectation.of))
            : undefined,
        where:
          expectation.kind === "event" ? expectation.where.map(([field, pattern]) => [field, matcher(pattern)]) : [],
        count: 0,
      };
      this.#watches.push(watch);
      if (expectation.kind === "event") file(this.#byType, expectation.type, watch);
      for (const person of watch.people) file(this.#byPerson, person, watch);
    }
  }

  /** A person's phone has shown a text. */
  heard(person: number, text: string, atMs: SimTime): void {
    for (const watch of this.#byPerson.get(person) ?? []) {
      if (atMs < watch.fromMs || atMs > watch.untilMs || !watch.matches(text)) continue;
      watch.heardBy.add(person);
      watch.count++;
    }
  }

  /** An event has come into being. */
  emitted(event: { channel: number; type: string; atMs: SimTime; body: string }): void {
    for (const watch of this.#byType.get(event.type) ?? []) {
      if (event.atMs < watch.fromMs || event.atMs > watch.untilMs) continue;
      if (watch.channels?.has(event.channel) === false) continue;
      if (!hasFields(event.body, watch.where)) continue;
      watch.count++;
    }
  }

  /** @param reachedMs - how far the run came: what ends later has not been reached */
  results(reachedMs: SimTime): ExpectationResult[] {
    return this.#watches.map((watch) => {
      const { text } = watch.expectation;
      if (watch.untilMs > reachedMs) return { text, held: false, seen: "the run ended before" };
      if (watch.expectation.kind === "hears") {
        const held = watch.heardBy.size === watch.people.length;
        const seen =
          watch.people.length === 1 ? times(watch.count) : `${watch.heardBy.size} of ${watch.people.length} people`;
        return { text, held, seen };
      }
      const { op, value } = watch.expectation.count ?? { op: ">=" as const, value: 1 };
      return { text, held: compare(watch.count, op, value), seen: times(watch.count) };
    });
  }
}

function file<K>(index: Map<K, Watch[]>, key: K, watch: Watch): void {
  const watches = index.get(key);
  if (watches === undefined) index.set(key, [watch]);
  else watches.push(watch);
}

function matcher(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === "contains") return (text) => text.includes(pattern.text);
  const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  return (text) => expression.test(text);
}

function hasFields(body: string, where: Watch["where"]): boolean {
  if (where.length === 0) return true;
  const pairs = parseForm(body);
  return where.every(([field, matches]) => pairs.some(([key, value]) => key === field && matches(value)));
}

function times(count: number): string {
  if (count === 0) return "never";
  return count === 1 ? "once" : `${count} times`;
}
