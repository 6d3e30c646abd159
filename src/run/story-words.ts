import type { ReceiverSwitch } from "../lab/index.js";
import type { ConditionalStep, StoryOutline, StoryStep } from "../report/index.js";
import { durationLiteral, isConditional, type Scenario, type Step, variationsOf } from "../scenario/index.js";
import { isSelector, selectorText } from "../world/index.js";

/** Upper bound of steps that a recording keeps for its report. */
const STEPS_MAX = 2000;

/**
 * The steps of a story in words, for the report, ordered by time. Left out are expectations, which the report lists
 * separately. Steps that depend on a condition are in a separate list, because only the run knows when they happen.
 * Beyond 2,000 steps, texts, calls and messages are left out before causes.
 */
export function storyInWords(story: readonly Step[]): StoryOutline {
  const all = story
    .filter((step) => !isJudging(step) && !isConditional(step))
    .map(({ atMs, input }): StoryStep => [atMs, wordsOf(input), isTraffic(input) ? "text" : "cause"]);
  const kept = all
    .toSorted(([, , a], [, , b]) => Number(a === "text") - Number(b === "text"))
    .slice(0, STEPS_MAX)
    .toSorted(([a], [b]) => a - b);
  const conditional = story.filter((step) => isConditional(step) && step.input.to !== "expect").slice(0, STEPS_MAX);
  return {
    steps: kept,
    leftOut: all.length - kept.length,
    ...(conditional.length > 0 && { conditional: conditional.map(conditionalInWords) }),
  };
}

/** Whether a step expects or checks something: the report lists it among the expectations. */
function isJudging({ input }: Step): boolean {
  return input.to === "expect" || input.to === "check";
}

function conditionalInWords({ place, atMs, input, waits, follows }: Step): ConditionalStep {
  return {
    text: wordsOf(input),
    kind: isTraffic(input) ? "text" : "cause",
    place: waits === undefined ? (follows?.place ?? place) : place,
    afterMs: follows?.afterMs ?? 0,
    fromMs: atMs,
    ...(waits !== undefined && { condition: waits.text }),
  };
}

/**
 * The number of steps that switch how the receiver answers. 0 if they have no effect, or if some events go to receivers
 * that they do not switch.
 */
export function receiverStepsOf({ story, cast }: Scenario, receiver: ReceiverSwitch | undefined): number {
  const isAlone = cast.handsets.every((group) => group.receiver === undefined || group.receiver === "none");
  if (receiver === undefined || !isAlone) return 0;
  return story.filter(({ input }) => input.to === "receiver").length;
}

/** The last cause in a story, such as `at 20 s, network: of clinic, type none`. */
export function lastCause(story: readonly Step[], untilMs: number): string | undefined {
  const last = story
    .filter((step) => !isConditional(step))
    .filter(({ atMs, input }) => atMs <= untilMs && "input" in input && "verb" in input.input && !isTraffic(input))
    .toSorted((a, b) => a.atMs - b.atMs)
    .at(-1);
  return last === undefined ? undefined : `at ${durationLiteral(last.atMs)}, ${wordsOf(last.input)}`;
}

/** Whether a step is a text, call, message, flow or custom event; any other step is a cause. */
function isTraffic(input: Step["input"]): boolean {
  if (!("input" in input) || !("verb" in input.input)) return false;
  return ["text", "call", "send", "flow", "event"].includes(input.input.verb);
}

function wordsOf(input: Step["input"]): string {
  if (input.to === "log") return input.text;
  if (input.to === "check") return input.check.text;
  if (input.to === "expect") return "";
  const { to } = input;
  const verb = "verb" in input.input ? input.input.verb : to;
  const varies = variationsOf(input);
  const about = Object.entries(input.input)
    .filter(([key]) => key !== "verb")
    .flatMap(([key, value]) => {
      const varied = varies?.[key];
      return varied === undefined ? argument(key, value) : [`${varied.argument} ${varied.text}`];
    });
  return `${verb}: ${about.join(", ")}`;
}

/** An argument in a few words; empty when it is too long to show. */
function argument(key: string, value: unknown): string[] {
  if (isSelector(value)) return [`${key} ${selectorText(value)}`];
  if (typeof value === "object" && value !== null && "phone" in value) return [`${key} ${String(value.phone)}`];
  if (key.endsWith("Ms") && typeof value === "number") return [`${key.slice(0, -2)} ${durationLiteral(value)}`];
  if (key === "mains") return [`mains ${value === true ? "on" : "off"}`];
  if (typeof value === "string" || typeof value === "number") return [`${key} ${value}`];
  return [];
}
