import type { ReceiverSwitch } from "../lab/index.js";
import type { StoryOutline, StoryStep } from "../report/index.js";
import { durationLiteral, type Scenario, type Step } from "../scenario/index.js";
import type { Selector } from "../world/index.js";

/** Steps that a recording keeps for its report. */
const STEPS_MAX = 2000;

/**
 * What a story does, for those who read a report of it, in the order of time. Expectations have a place of their own in
 * the report. Where there are too many, causes are kept and texts, calls and messages left out.
 */
export function storyInWords(story: readonly Step[]): StoryOutline {
  const all = story
    .filter(({ input }) => input.to !== "expect")
    .map(({ atMs, input }): StoryStep => [atMs, wordsOf(input), isTraffic(input) ? "text" : "cause"]);
  const kept = all
    .toSorted(([, , a], [, , b]) => Number(a === "text") - Number(b === "text"))
    .slice(0, STEPS_MAX)
    .toSorted(([a], [b]) => a - b);
  return { steps: kept, leftOut: all.length - kept.length };
}

/**
 * Steps by which the story makes the receiver answer otherwise. None where that has no effect, or where some events go to
 * receivers that it does not switch: what those answer is their own doing.
 */
export function receiverStepsOf({ story, cast }: Scenario, receiver: ReceiverSwitch | undefined): number {
  const isAlone = cast.handsets.every((group) => group.receiver === undefined || group.receiver === "none");
  if (receiver === undefined || !isAlone) return 0;
  return story.filter(({ input }) => input.to === "receiver").length;
}

/** The last step that makes phones or carriers behave differently, such as `at 20 s, network: of clinic, type none`. */
export function lastCause(story: readonly Step[], untilMs: number): string | undefined {
  const last = story
    .filter(({ atMs, input }) => atMs <= untilMs && "input" in input && "verb" in input.input && !isTraffic(input))
    .toSorted((a, b) => a.atMs - b.atMs)
    .at(-1);
  return last === undefined ? undefined : `at ${durationLiteral(last.atMs)}, ${wordsOf(last.input)}`;
}

/** Whether a step is a text, a call or a message rather than what makes others behave differently. */
function isTraffic(input: Step["input"]): boolean {
  if (!("input" in input) || !("verb" in input.input)) return false;
  return ["text", "call", "send", "flow", "event"].includes(input.input.verb);
}

function wordsOf(input: Step["input"]): string {
  if (input.to === "log") return input.text;
  if (input.to === "expect") return "";
  const { to } = input;
  const verb = "verb" in input.input ? input.input.verb : to;
  const about = Object.entries(input.input)
    .filter(([key]) => key !== "verb")
    .flatMap(([key, value]) => argument(key, value));
  return `${verb}: ${about.join(", ")}`;
}

/** An argument in a few words; what needs more is left out. */
function argument(key: string, value: unknown): string[] {
  if (isSelector(value)) return [`${key} ${selected(value)}`];
  if (typeof value === "object" && value !== null && "phone" in value) return [`${key} ${String(value.phone)}`];
  if (key.endsWith("Ms") && typeof value === "number") return [`${key.slice(0, -2)} ${durationLiteral(value)}`];
  if (key === "mains") return [`mains ${value === true ? "on" : "off"}`];
  if (typeof value === "string" || typeof value === "number") return [`${key} ${value}`];
  return [];
}

function isSelector(value: unknown): value is Selector {
  return typeof value === "object" && value !== null && "group" in value && "from" in value && "to" in value;
}

function selected({ group, from, to, share }: Selector): string {
  const members = from === to ? `${group}/${from}` : `${group}/${from}..${to}`;
  return share === undefined ? members : `${Math.round(share * 100)}% of ${members}`;
}
