import type { Gateway } from "../gateway/index.js";
import {
  delayMsOf,
  drawVariations,
  type FlowStartInput,
  forMember,
  type GatewayInput,
  membersOf,
  type ReceiverAnswers,
  type ReceiverInput,
  type Step,
  type StoryInput,
  variationsOf,
} from "../scenario/index.js";
import { type Fakes, type Kernel, sample, type Streams } from "../sim/index.js";
import type { World } from "../world/index.js";
import type { ReceiverSwitch } from "./receiver-switch.js";
import { applyServiceFault } from "./service-fault.js";
import type { LiveClock } from "./time/clock.js";

/** Every story input except `expect`. */
export type StoryAction = Exclude<StoryInput, { to: "expect" }>;

/** The steps of a story, and the parts of the run that they act on. */
export interface StoryOptions {
  readonly kernel: Kernel;
  /** Paced runs only. */
  readonly clock: LiveClock | undefined;
  readonly streams: Streams;
  readonly fakes: Fakes;
  readonly world: World;
  readonly gateway: Gateway;
  /** The instant 0 of virtual time, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** The scenario's file, for messages. */
  readonly file: string;
  /** The scenario's steps. */
  readonly steps: readonly Step[];
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
}

/**
 * Performs the inputs of the story and of hands at the kernel's now: resolves their targets and passes each input to
 * the world, the gateway or the account. An input that switches the receiver becomes a barrier: an action in wall time
 * between two kernel steps.
 */
export class StoryInputs {
  readonly #options: StoryOptions;
  readonly #barriers: (() => Promise<void>)[] = [];
  #handCount = 0;

  constructor(options: StoryOptions) {
    this.#options = options;
  }

  /**
   * Schedules the steps. Call it before anything else is scheduled: within an instant the steps then come first, in
   * file order.
   */
  scheduleSteps(): void {
    const { kernel, steps, isAhead } = this.#options;
    steps.forEach((step, index) => {
      const { atMs, input, delays } = step;
      if (input.to === "expect") return;
      if (delays !== undefined)
        kernel.at(Math.max(atMs, kernel.now), () => this.#spreadStep(step, input, index), undefined);
      else if (isAhead(step)) kernel.at(atMs, () => this.#performStep(step, input, index), undefined);
    });
  }

  /** Schedules a step whose instant varies, for each of its members at the member's own instant. */
  #spreadStep(step: Step, input: StoryAction, index: number): void {
    const { kernel, streams, isAhead } = this.#options;
    for (const { name, action } of this.#memberActions(input)) {
      const atMs = step.atMs + delayMsOf(step, name, streams);
      if (!isAhead({ ...step, atMs })) continue;
      kernel.at(atMs, () => this.#performStep(step, action, index), undefined);
    }
  }

  /** An action for each of its members in this part of the fleet; one that has no members, as a whole. */
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
    return this.#perform(input, this.#options.steps.length + this.#handCount++);
  }

  #performStep({ line }: Step, input: StoryAction, index: number): void {
    const { file } = this.#options;
    for (const problem of this.#perform(input, index)) {
      this.#options.addStepProblem(line === 0 ? problem : `${file}:${line}: ${problem}`);
    }
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
      case "receiver":
        this.#switchReceiver(input.input);
        return [];
      case "world":
        this.#options.world.apply(input.input);
        return [];
      case "gateway":
        this.#performAtGateway(input.input, step);
        return [];
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

  #performAtGateway(input: GatewayInput, step: number): void {
    const { world, gateway, streams, fakes, kernel, startsAtMs } = this.#options;
    switch (input.verb) {
      case "send":
        for (const person of world.population.peopleOf(input.to)) {
          const text = sample(input.body, streams.get(`${world.population.nameOfPerson(person)}/step/${step}`), fakes);
          const channel = world.channelFor(person, input.via);
          gateway.send(channel, { phone: world.population.phoneOfPerson(person), text, origin: "story" });
        }
        return;
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
        return;
      case "event":
        for (const channel of world.population.channelsOf(input.of))
          gateway.emitCustomEvent(channel, input.type, input.fields);
        return;
      case "service":
        applyServiceFault(input, { world, gateway });
        return;
      default:
        input satisfies never;
    }
  }
}
