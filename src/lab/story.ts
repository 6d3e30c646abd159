import type { DeliveryTroubles } from "../delivery/index.js";
import type { Gateway } from "../gateway/index.js";
import {
  delayMsOf,
  drawSelections,
  durationLiteral,
  executionOf,
  drawVariations,
  type FlowStartInput,
  forMember,
  type GatewayInput,
  membersOf,
  type ReceiverAnswers,
  type ReceiverInput,
  type StandingTrouble,
  type Step,
  type StepWait,
  type StoryInput,
  variationsOf,
} from "../scenario/index.js";
import { type Fakes, type Kernel, sample, type Streams, type Timer } from "../sim/index.js";
import { BodyCounts, type World } from "../world/index.js";
import { applyDeliveryTrouble } from "./delivery-trouble.js";
import { changeRegistrations } from "./registration-steps.js";
import type { ReceiverSwitch } from "./receiver-switch.js";
import { applyServiceFault } from "./service-fault.js";
import type { StoryConditions } from "./story-conditions.js";
import type { StoryWaits } from "./story-waits.js";
import type { LiveClock } from "./time/clock.js";
import type { RunChecks } from "./checks/run-checks.js";

/** Every story input except `expect`. A `check` is none of a hand's. */
export type StoryAction = Exclude<StoryInput, { to: "expect" }>;

/** Rank of a deadline's timer: after all others of its instant, so a condition may be met at the deadline itself. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The steps of a story, and the parts of the run that they act on. */
export interface StoryOptions {
  readonly kernel: Kernel;
  /** Paced runs only. */
  readonly clock: LiveClock | undefined;
  readonly streams: Streams;
  readonly fakes: Fakes;
  readonly world: World;
  readonly gateway: Gateway;
  readonly troubles: DeliveryTroubles;
  /** The instant 0 of virtual time, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** The scenario's file, for messages. */
  readonly file: string;
  /** The scenario's steps. */
  readonly steps: readonly Step[];
  /** The troubles of the keys `delivery`. */
  readonly standing: readonly StandingTrouble[];
  /** Whether a step has yet to be played. */
  readonly isAhead: (step: Step) => boolean;
  /** The switch of a bundled receiver; undefined: the receiver is not a bundled one. */
  readonly receiver: ReceiverSwitch | undefined;
  /** The answers to which the receiver returns after a `receiver` step. */
  readonly usualAnswers: ReceiverAnswers;
  /** Called for a step that addresses a receiver without a switch. */
  readonly reportNoSwitch: () => void;
  /** Starts a flow of the account. Returns why it was not started for all people, in sentences. */
  readonly startFlow: (input: FlowStartInput) => readonly string[];
  /** Adds a problem of a step to the result and the log. */
  readonly addStepProblem: (text: string) => void;
  readonly writeNote: (text: string) => void;
  readonly checks: RunChecks;
  /** Watches what steps wait for. */
  readonly conditions: StoryConditions;
  /** The states of these conditions, also from before the world was continued. */
  readonly waits: StoryWaits;
  /** The end of the scenario, at which a missing condition is reported at the latest. */
  readonly lastsMs: number;
}

/**
 * Performs the inputs of the story and of hands at the kernel's now: resolves their targets and passes each input to
 * the world, the gateway or the account. An input that switches the receiver, or a check, becomes a barrier: an action in wall time
 * between two kernel steps.
 */
export class StoryInputs {
  readonly #options: StoryOptions;
  readonly #bodyCounts = new BodyCounts();
  readonly #barriers: (() => Promise<void>)[] = [];
  #handCount = 0;
  /** The steps that count from a step that waits, with their indexes; by the place of the step that waits. */
  readonly #followers = new Map<number, (readonly [Step, number])[]>();
  /** Number of steps that may draw. */
  readonly #drawingSteps: number;

  constructor(options: StoryOptions) {
    this.#options = options;
    this.#drawingSteps = options.steps.filter(({ input }) => input.to !== "check").length;
  }

  /**
   * Schedules the steps. Call it before anything else is scheduled: within an instant the steps then come first, in
   * file order.
   */
  scheduleSteps(): void {
    const { steps, checks } = this.#options;
    this.#scheduleTroubles();
    checks.schedule((act) => this.#addBarrier(act));
    // Names streams, so checks do not count.
    let index = -1;
    for (const step of steps) {
      if (step.input.to !== "check") index++;
      this.#scheduleStep(step, index);
    }
  }

  #scheduleStep(step: Step, index: number): void {
    const { kernel, isAhead } = this.#options;
    const { atMs, input, delays, waits, follows } = step;
    if (input.to === "expect") return;
    if (follows !== undefined) {
      this.#followers.set(follows.place, [...(this.#followers.get(follows.place) ?? []), [step, index]]);
      this.#continueFollower(step, follows, index);
      return;
    }
    if (waits !== undefined) {
      if (isAhead(step)) kernel.at(atMs, () => this.#awaitCondition(step, waits, index), undefined);
      else this.#continueWait(step, waits, index);
      return;
    }
    if (delays !== undefined)
      kernel.at(Math.max(atMs, kernel.now), () => this.#spreadStep(step, input, index), undefined);
    else if (isAhead(step)) kernel.at(atMs, () => this.#performStep(step, input, index), undefined);
  }

  /** The troubles of the keys `delivery`; in a continued world those that still last. */
  #scheduleTroubles(): void {
    const { kernel, standing, world, troubles } = this.#options;
    const targets = { troubles, population: world.population, kernel };
    for (const { fromMs, untilMs = Infinity, input } of standing) {
      const atMs = Math.max(fromMs, kernel.now);
      if (untilMs <= atMs) continue;
      const forMs = untilMs === Infinity ? undefined : untilMs - atMs;
      if (atMs === kernel.now) applyDeliveryTrouble({ ...input, forMs }, targets);
      else kernel.at(atMs, () => applyDeliveryTrouble({ ...input, forMs }, targets), undefined);
    }
  }

  /** In a continued world: watches the condition of a step again, if the step was still waiting. */
  #continueWait(step: Step, waits: StepWait, index: number): void {
    const wait = this.#options.waits.get(step.place);
    if (wait === undefined || wait.metMs !== undefined || wait.missedMs !== undefined) return;
    this.#awaitCondition(step, waits, index, wait.fromMs);
  }

  /** In a continued world: schedules a step that counts from a condition that was met, if the step is still ahead. */
  #continueFollower(step: Step, { place, afterMs }: NonNullable<Step["follows"]>, index: number): void {
    const { kernel, waits: log, isAhead } = this.#options;
    const { input, delays, waits } = step;
    const metMs = log.get(place)?.metMs;
    if (metMs === undefined || input.to === "expect") return;
    const atMs = metMs + afterMs;
    if (waits !== undefined) {
      if (atMs > kernel.now) kernel.at(atMs, () => this.#awaitCondition(step, waits, index), undefined);
      else this.#continueWait(step, waits, index);
    } else if (delays !== undefined) this.#spreadStep({ ...step, atMs }, input, index);
    else if (isAhead({ ...step, atMs })) kernel.at(atMs, () => this.#performStep(step, input, index), undefined);
  }

  /** Watches the condition of a step. @param fromMs - when the watch began; before now only in a continued world */
  #awaitCondition(
    step: Step,
    { condition, withinMs, text }: StepWait,
    index: number,
    fromMs = this.#options.kernel.now,
  ): void {
    const { kernel, conditions, lastsMs, writeNote, waits: log } = this.#options;
    const { place } = step;
    const deadline: { timer?: Timer } = {};
    const end = conditions.watch(condition, () => {
      if (deadline.timer !== undefined) kernel.cancel(deadline.timer);
      log.set({ place, fromMs, metMs: kernel.now });
      writeNote(`The story's condition holds: ${text}`);
      if (step.input.to !== "expect") this.#performStep(step, step.input, index);
      for (const [follower, followerIndex] of this.#followers.get(place) ?? []) this.#follow(follower, followerIndex);
    });
    if (end === undefined) return;
    log.set({ place, fromMs });
    if (withinMs === undefined) return;
    const reportMissing = (): void => {
      end();
      log.set({ place, fromMs, missedMs: kernel.now });
      this.#reportProblem(
        step,
        `the condition did not come within ${durationLiteral(withinMs)} from ${durationLiteral(fromMs)} on: ${text}`,
      );
    };
    const atMs = Math.max(kernel.now, Math.min(fromMs + withinMs, lastsMs));
    deadline.timer = kernel.at(atMs, reportMissing, undefined, LAST);
  }

  /** Called when a condition is met: schedules a step that counts from it. */
  #follow(step: Step, index: number): void {
    const { kernel } = this.#options;
    const { waits, input, delays, follows } = step;
    if (input.to === "expect" || follows === undefined) return;
    const { afterMs } = follows;
    if (waits !== undefined) kernel.in(afterMs, () => this.#awaitCondition(step, waits, index), undefined);
    else if (delays === undefined) kernel.in(afterMs, () => this.#performStep(step, input, index), undefined);
    else this.#spreadStep({ ...step, atMs: kernel.now + afterMs }, input, index);
  }

  /** Schedules a step whose instant varies: for each of its members at an instant of the member's own. */
  #spreadStep(step: Step, input: StoryAction, index: number): void {
    const { kernel, streams, isAhead } = this.#options;
    const drawn = drawSelections(input, executionOf(step));
    for (const { name, action } of this.#memberActions(drawn)) {
      const atMs = step.atMs + delayMsOf(step, name, streams);
      if (!isAhead({ ...step, atMs })) continue;
      kernel.at(atMs, () => this.#performStep(step, action, index), undefined);
    }
  }

  /** Splits an input into one for each of its members in this part of the fleet. One without members stays whole. */
  #memberActions(input: StoryAction): { readonly name: string | undefined; readonly action: StoryAction }[] {
    const { population } = this.#options.world;
    const members = membersOf(input);
    if (members === undefined) return [{ name: undefined, action: input }];
    if (members.kind === "handsets") {
      return population.channelsOf(members.selector).map((channel) => ({
        name: population.nameOfHandset(channel),
        action: forMember(input, members, population.selectorOfHandset(channel)),
      }));
    }
    const people = members.isEverywhere
      ? population.peopleOfAllParts(members.choice)
      : population.peopleOf(members.choice);
    return people.map((person) => ({
      name: population.nameOfPerson(person),
      action: forMember(input, members, population.choiceOfPerson(person)),
    }));
  }

  /**
   * Performs an input by hand now. Its random stream is separate from the streams of the story's steps.
   *
   * @returns what could not be done, in sentences
   */
  performHand(input: StoryAction): readonly string[] {
    const hand = this.#handCount++;
    const drawn = drawSelections(input, `hand/${hand}/${this.#options.kernel.now}`);
    return this.#perform(drawn, this.#drawingSteps + hand);
  }

  #performStep(step: Step, input: StoryAction, index: number): void {
    const drawn = drawSelections(input, executionOf(step));
    for (const problem of this.#perform(drawn, index)) this.#reportProblem(step, problem);
  }

  #reportProblem({ line }: Step, problem: string): void {
    this.#options.addStepProblem(line === 0 ? problem : `${this.#options.file}:${line}: ${problem}`);
  }

  /** Removes and returns the first barrier. */
  dequeueBarrier(): (() => Promise<void>) | undefined {
    return this.#barriers.shift();
  }

  get hasBarrier(): boolean {
    return this.#barriers.length > 0;
  }

  /**
   * @param step - the step's index: it names the stream that the step draws from
   * @returns what could not be done, in sentences
   */
  #perform(input: StoryAction, step: number): readonly string[] {
    if (variationsOf(input) === undefined) return this.#performPlain(input, step);
    const { streams } = this.#options;
    return this.#memberActions(input).flatMap(({ name, action }) => {
      const stream = streams.get(name === undefined ? `step/${step}` : `${name}/step/${step}`);
      return this.#performPlain(drawVariations(action, stream), step);
    });
  }

  #performPlain(input: StoryAction, step: number): readonly string[] {
    switch (input.to) {
      case "log":
        this.#options.writeNote(input.text);
        return [];
      case "check":
        this.#addBarrier(() => this.#options.checks.ask(input.check));
        return [];
      case "receiver":
        this.#switchReceiver(input.input);
        return [];
      case "world":
        this.#options.world.apply(input.input);
        return [];
      case "delivery": {
        const { troubles, world, kernel } = this.#options;
        applyDeliveryTrouble(input.input, { troubles, population: world.population, kernel });
        return [];
      }
      case "gateway":
        return this.#performAtGateway(input.input, step);
      case "account":
        return this.#options.startFlow(input.input);
      default:
        return input satisfies never;
    }
  }

  #switchReceiver(input: ReceiverInput): void {
    const { receiver, kernel, reportNoSwitch } = this.#options;
    if (receiver === undefined) return reportNoSwitch();
    this.#addBarrier(() => receiver.answer(input));
    if (input.forMs === undefined) return;
    const { usualAnswers } = this.#options;
    kernel.in(input.forMs, () => this.#addBarrier(() => receiver.answer(usualAnswers)), undefined);
  }

  /** Pauses the kernel for an action in wall time. Earlier events are sent before it. */
  #addBarrier(act: () => Promise<void>): void {
    const { kernel, clock } = this.#options;
    const dueWallMs = clock?.dueWallMs(kernel.now) ?? 0;
    this.#barriers.push(async () => {
      await clock?.waitUntil(dueWallMs);
      await act();
    });
    kernel.pause();
  }

  /** @returns what could not be done, in sentences */
  #performAtGateway(input: GatewayInput, step: number): readonly string[] {
    const { world, gateway, streams, fakes, kernel, startsAtMs } = this.#options;
    switch (input.verb) {
      case "send":
        for (const person of world.population.peopleOf(input.to)) {
          const stream = streams.get(`${world.population.nameOfPerson(person)}/step/${step}`);
          const text = this.#bodyCounts.fill(sample(input.body, stream, fakes), input.body, person);
          const channel = world.channelFor(person, input.via);
          gateway.send(channel, { phone: world.population.phoneOfPerson(person), text, origin: "story" });
        }
        return [];
      case "flow":
        for (const person of world.population.peopleOf(input.person)) {
          gateway.emitFlowEvent(world.channelFor(person, input.of), {
            phone: world.population.phoneOfPerson(person),
            flow: input.flow,
            name: input.name,
            language: input.language,
            step: input.step ?? streams.uuid(`flow/${input.flow}/step/${step}`),
            values: input.values.map(({ timeMs, ...value }) => ({
              ...value,
              time: timeMs ?? startsAtMs + kernel.now,
            })),
          });
        }
        return [];
      case "event":
        for (const channel of world.population.channelsOf(input.of))
          gateway.emitCustomEvent(channel, input.type, input.fields);
        return [];
      case "service":
        applyServiceFault(input, { world, gateway });
        return [];
      case "register":
      case "reset":
      case "release":
      case "claim":
        return changeRegistrations(input, { world, gateway, streams, step });
      default:
        return input satisfies never;
    }
  }
}
