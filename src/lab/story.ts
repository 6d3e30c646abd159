import type { Gateway } from "../gateway/index.js";
import type { GatewayInput, StoryInput } from "../scenario/index.js";
import { type Fakes, type Kernel, sample, type Streams } from "../sim/index.js";
import type { World } from "../world/index.js";

/**
 * Carries out the steps of a story: resolves who is meant and hands each input to the room that it is addressed to.
 * The receiver's and the log's steps are the lab's own affair.
 */
export class Story {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #fakes: Fakes;
  readonly #world: World;
  readonly #gateway: Gateway;
  readonly #startsAtMs: number;

  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    fakes: Fakes;
    world: World;
    gateway: Gateway;
    startsAtMs: number;
  }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#fakes = options.fakes;
    this.#world = options.world;
    this.#gateway = options.gateway;
    this.#startsAtMs = options.startsAtMs;
  }

  /** @param step - the step's place in the story: it names the stream from which the step draws */
  perform(input: Extract<StoryInput, { to: "world" | "gateway" }>, step: number): void {
    if (input.to === "world") this.#world.apply(input.input);
    else this.#performForGateway(input.input, step);
  }

  #performForGateway(input: GatewayInput, step: number): void {
    switch (input.verb) {
      case "send":
        for (const person of this.#world.peopleOf(input.to)) {
          const text = sample(
            input.body,
            this.#streams.get(`${this.#world.nameOfPerson(person)}/step/${step}`),
            this.#fakes,
          );
          const channel = this.#world.route(person, input.via);
          this.#gateway.send(channel, { phone: this.#world.phoneOfPerson(person), text, origin: "story" });
        }
        return;
      case "flow":
        for (const person of this.#world.peopleOf(input.person)) {
          this.#gateway.flow(this.#world.route(person, input.of), {
            phone: this.#world.phoneOfPerson(person),
            flow: input.flow,
            name: input.name,
            language: input.language,
            step: input.step ?? this.#streams.uuid(`flow/${input.flow}/step/${step}`),
            values: input.values.map(({ timeMs, ...value }) => ({
              ...value,
              time: timeMs ?? this.#startsAtMs + this.#kernel.now,
            })),
          });
        }
        return;
      case "event":
        for (const channel of this.#world.channelsOf(input.of)) this.#gateway.event(channel, input.type, input.fields);
        return;
      default:
        input satisfies never;
    }
  }
}
