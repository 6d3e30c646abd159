import { sample, sampleSigned, sampleWhole, type Stream, type Streams } from "../sim/index.js";
import { durationLiteral } from "./fields/values/duration.js";
import { drawSelector, isDrawnEachTime, isSelector, type PeopleChoice, type Selector } from "../world/index.js";
import type { Step, StoryInput, Variation } from "./scenario.js";

/** The handsets or people that a step acts on, one by one, and the property of its input that selects them. */
export type StepMembers =
  | { readonly kind: "handsets"; readonly key: "of" | "handsets"; readonly selector: Selector }
  | {
      readonly kind: "people";
      readonly key: "from" | "to" | "person" | "people";
      readonly choice: PeopleChoice;
      /** True: it acts in each part of a fleet, and not only in those of the people's home handsets. */
      readonly isEverywhere?: boolean;
    };

/** The members that a step acts on; undefined: it has none, because it is a note or acts on the lab as a whole. */
export function membersOf(step: StoryInput): StepMembers | undefined {
  switch (step.to) {
    case "world": {
      const { input } = step;
      if (input.verb === "text") return { kind: "people", key: "from", choice: input.from };
      if (input.verb === "call") {
        return input.by === "person"
          ? { kind: "people", key: "people", choice: input.people }
          : { kind: "handsets", key: "handsets", selector: input.handsets };
      }
      if (input.verb === "unreachable") {
        return { kind: "people", key: "people", choice: input.people, isEverywhere: true };
      }
      return "of" in input ? { kind: "handsets", key: "of", selector: input.of } : undefined;
    }
    case "gateway": {
      const { input } = step;
      if (input.verb === "send") return { kind: "people", key: "to", choice: input.to };
      if (input.verb === "flow") return { kind: "people", key: "person", choice: input.person };
      return { kind: "handsets", key: "of", selector: input.of };
    }
    case "delivery":
      return { kind: "handsets", key: "of", selector: step.input.of };
    case "account":
      return { kind: "people", key: "person", choice: step.input.person };
    default:
      return undefined;
  }
}

/** The same step for one of its members. */
export function forMember<Input extends StoryInput>(
  step: Input,
  { key }: Pick<StepMembers, "key">,
  member: PeopleChoice,
): Input {
  if (!("input" in step)) return step;
  return { ...step, input: { ...step.input, [key]: member } };
}

/**
 * What is added to a step's earliest instant, in milliseconds. Each member has its own stream of the step, so a draw
 * depends neither on the other members nor on the part of a fleet.
 *
 * @param name - of the member, such as `clinic/3`; undefined: the step acts on none
 */
export function delayMsOf({ delays = [], occurrence = 0 }: Step, name: string | undefined, streams: Streams): number {
  return delays.reduce((sum, { place, drawsAs = place, isShared, values }) => {
    const stream = `at/${drawsAs}/${occurrence}`;
    const isOwn = name !== undefined && isShared !== true;
    return sum + sampleWhole(values, streams.get(isOwn ? `${name}/${stream}` : stream));
  }, 0);
}

/** The name of one execution of a step. It names the stream of the shares that are drawn each time. */
export function executionOf({ place, drawsAs = place, occurrence = 0 }: Step): string {
  return `step/${drawsAs}/${occurrence}`;
}

/** Draws the shares of a step that are drawn each time. @param execution - its name, see `executionOf` */
export function drawSelections<Input extends StoryInput>(step: Input, execution: string): Input {
  if (!("input" in step)) return step;
  const drawn = Object.entries(step.input).filter(([, value]) => isSelector(value) && isDrawnEachTime(value));
  if (drawn.length === 0) return step;
  const selectors = drawn.map(([key, value]) => [key, drawSelector(value as Selector, execution)]);
  return { ...step, input: { ...step.input, ...Object.fromEntries(selectors) } };
}

/** The values of an input that vary, not yet drawn; undefined: none vary. */
export function variationsOf(step: StoryInput): Readonly<Record<string, Variation>> | undefined {
  return "varies" in step ? step.varies : undefined;
}

/** Draws the values of an input that vary. @param stream - of this step and member */
export function drawVariations<Input extends StoryInput>(step: Input, stream: Stream): Input {
  const varies = variationsOf(step);
  if (varies === undefined || !("input" in step)) return step;
  const drawn = Object.fromEntries(Object.entries(varies).map(([key, one]) => [key, drawOne(one, stream)]));
  return { ...step, input: { ...step.input, ...drawn }, varies: undefined };
}

/** The values that `drawVariations` draws from the same stream, as arguments of the verb: `{ for: 12m }`. */
export function drawnArguments(step: StoryInput, stream: Stream): Readonly<Record<string, string>> {
  const drawn = Object.values(variationsOf(step) ?? {}).map((one): [string, string] => {
    const number = drawOne(one, stream);
    return [one.argument, one.unit === "percent" ? `${Number(number.toFixed(6))}%` : durationLiteral(number)];
  });
  return Object.fromEntries(drawn);
}

function drawOne({ values, unit }: Variation, stream: Stream): number {
  if (unit === "ms") return sampleWhole(values, stream);
  return unit === "percent" ? Math.min(100, sample(values, stream)) : Math.round(sampleSigned(values, stream));
}
