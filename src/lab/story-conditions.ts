import { compare, hasFields, patternMatcher } from "../expect/index.js";
import type { StoryCondition } from "../scenario/index.js";
import type { RunRow } from "../account/index.js";
import type { Kernel, SimTime, Timer } from "../sim/index.js";
import type { World } from "../world/index.js";

/** Interval at which the queue or battery of phones is compared with a condition's bound, in virtual time. */
const CHECK_EVERY_MS = 1000;

/** A condition that is watched. */
interface Watch {
  /** Channels of handsets in this part, or places of people; undefined: all. */
  readonly members: ReadonlySet<number> | undefined;
  readonly matches: (text: string) => boolean;
  /** Ends the watch, and calls `onMet` of `StoryConditions.watch` in a kernel step of its own. */
  readonly onMet: () => void;
}

type FlowWatch = Watch & {
  readonly condition: Extract<StoryCondition, { kind: "flow" }>;
  /** Runs that began earlier do not count as begun. */
  readonly fromMs: SimTime;
};

type EventWatch = Watch & { readonly condition: Extract<StoryCondition, { kind: "event" }> };

/**
 * Watches the conditions that steps of the story wait for. Each is decided at a virtual instant, from this part of the
 * fleet alone: those on events, texts, flows and broadcasts when they come, those on queues and batteries each second.
 */
export class StoryConditions {
  readonly #kernel: Kernel;
  readonly #world: World;
  readonly #events = new Set<EventWatch>();
  readonly #texts = new Set<Watch>();
  readonly #flows = new Set<FlowWatch>();
  readonly #broadcasts = new Set<Watch>();

  constructor({ kernel, world }: { readonly kernel: Kernel; readonly world: World }) {
    this.#kernel = kernel;
    this.#world = world;
  }

  /**
   * Watches a condition from now on, until it is met or the returned function is called.
   *
   * @param onMet - called once, in a kernel step of its own
   * @returns a function that ends the watch; undefined: the condition is on members of other parts of the fleet only
   */
  watch(condition: StoryCondition, onMet: () => void): (() => void) | undefined {
    const members = this.#membersOf(condition);
    if (members?.size === 0) return undefined;
    switch (condition.kind) {
      case "event":
        return this.#add(this.#events, (met) => ({ condition, members, matches: () => true, onMet: met }), onMet);
      case "hears": {
        const matches = patternMatcher(condition.pattern, "contained");
        return this.#add(this.#texts, (met) => ({ members, matches, onMet: met }), onMet);
      }
      case "flow":
        return this.#add(
          this.#flows,
          (met) => ({ condition, members, fromMs: this.#kernel.now, matches: () => true, onMet: met }),
          onMet,
        );
      case "broadcast": {
        const matches = patternMatcher(condition.pattern, "contained");
        return this.#add(this.#broadcasts, (met) => ({ members, matches, onMet: met }), onMet);
      }
      default:
        return this.#watchState(condition, [...(members ?? [])], onMet);
    }
  }

  /** Called when a person's phone has shown a text. */
  recordHeard(person: number, text: string): void {
    for (const { members, matches, onMet } of this.#texts) {
      if (members?.has(person) === true && matches(text)) onMet();
    }
  }

  /** Called when an event was made. */
  recordEvent(event: { readonly channel: number; readonly type: string; readonly body: string }): void {
    if (this.#events.size === 0) return;
    for (const { condition, members, onMet } of this.#events) {
      if (condition.type !== event.type || members?.has(event.channel) === false) continue;
      const where = condition.where.map(([field, one]) => [field, patternMatcher(one, "contained")] as const);
      if (hasFields(event.body, where)) onMet();
    }
  }

  /** Whether a condition on flows is watched now. */
  get awaitsRun(): boolean {
    return this.#flows.size > 0;
  }

  /**
   * Called when a run of a person was begun or has changed.
   *
   * @param isOf - whether the run is of the flow with this name or UUID
   */
  recordRun(
    person: number,
    { createdAtMs, exit }: Pick<RunRow, "createdAtMs" | "exit">,
    isOf: (flow: string) => boolean,
  ): void {
    for (const { condition, members, fromMs, onMet } of this.#flows) {
      if (members?.has(person) !== true || !isOf(condition.flow)) continue;
      if (condition.ends === undefined ? createdAtMs >= fromMs : exit === condition.ends) onMet();
    }
  }

  /** Called when the account sends a broadcast. @param text - in its base language */
  recordBroadcast(text: string): void {
    for (const { matches, onMet } of this.#broadcasts) if (matches(text)) onMet();
  }

  #membersOf(condition: StoryCondition): ReadonlySet<number> | undefined {
    const { population } = this.#world;
    if (condition.kind === "broadcast") return undefined;
    if (condition.kind === "hears" || condition.kind === "flow") return new Set(population.peopleOf(condition.people));
    return condition.of && new Set(population.channelsOf(condition.of));
  }

  #add<W extends Watch>(watches: Set<W>, make: (onMet: () => void) => W, onMet: () => void): () => void {
    const watch = make(() => {
      watches.delete(watch);
      this.#kernel.in(0, onMet, undefined);
    });
    watches.add(watch);
    return () => void watches.delete(watch);
  }

  #watchState(
    { kind, op, value }: Extract<StoryCondition, { kind: "queue" | "battery" }>,
    channels: readonly number[],
    onMet: () => void,
  ): () => void {
    let timer: Timer;
    const check = (): void => {
      const isMet = channels.some((channel) => compare(this.#world.readGauge(channel, kind), op, value));
      if (isMet) onMet();
      else timer = this.#kernel.in(CHECK_EVERY_MS, check, undefined);
    };
    timer = this.#kernel.in(0, check, undefined);
    return () => void this.#kernel.cancel(timer);
  }
}
