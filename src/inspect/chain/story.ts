import type { RawValue, Scenario, Step, StepMembers, WrittenTree } from "../../scenario/index.js";
import {
  delayMsOf,
  drawnArguments,
  drawSelections,
  executionOf,
  isConditional,
  membersOf,
  selectMembers,
  selectorKeys,
  stepKeys,
} from "../../scenario/index.js";
import { Streams } from "../../sim/index.js";
import { type RecordedInput, type RecordingReader, type StoryWait, storyWaitsOf } from "../../store/index.js";
import { handsetsOf, type Involved, type InvolvedEnds, peopleOf } from "./involved.js";

/** A step of a story. Steps of one instant are ordered by rank: conditions, losses, texts, expectations. */
export interface TimedStep {
  readonly atMs: number;
  readonly rank: 0 | 1 | 2 | 3;
  readonly step: WrittenTree;
}

/** The data from which the story is built. */
export interface StorySource {
  readonly reader: RecordingReader;
  readonly scenario: Scenario;
  readonly written: WrittenTree;
  readonly involved: Involved;
  readonly untilMs: number;
  readonly notes: string[];
}

/** Verbs that judge, that change parts absent from the new scenario, or whose effect the attempts already show. */
const LEFT_OUT = new Set(["expect", "check", "traffic", "receiver", "beat"]);

/** The steps of the story and of hands that touched the handsets or the people of a chain. */
export function storyOf(source: StorySource): TimedStep[] {
  return [...writtenSteps(source), ...handSteps(source)].filter(({ step }) => Object.keys(step).length > 0);
}

function writtenSteps({ reader, scenario, written, involved, untilMs, notes }: StorySource): TimedStep[] {
  const story = Array.isArray(written["story"]) ? (written["story"] as readonly RawValue[]) : [];
  if (scenario.story.some(({ place }) => story[place] === undefined)) {
    notes.push("The story of the recording could not be read step by step, and is left out.");
    return [];
  }
  const waits = new Map(storyWaitsOf(reader).map((wait) => [wait.place, wait]));
  const streams = new Streams(scenario.seed);
  return scenario.story.flatMap((one, index) => {
    const step = isConditional(one) ? withMoment(one, waits) : one;
    if (typeof step === "string") notes.push(step);
    if (typeof step === "string" || step.atMs > untilMs) return [];
    const verb = Object.entries(story[step.place] as WrittenTree).filter(([key]) => !stepKeys.includes(key));
    const members = membersOf(drawSelections(step.input, executionOf(step)));
    return fitted(Object.fromEntries(verb), involved).flatMap(({ step: own, ends }) => {
      if (members !== undefined && ends !== undefined && !isSelected(members, ends, involved)) return [];
      const kind = members?.kind;
      const member = kind === "people" ? ends?.person?.name : kind && ends?.handset.name;
      const atMs = step.atMs + delayMsOf(step, member, streams);
      const stream = streams.get(member === undefined ? `step/${index}` : `${member}/step/${index}`);
      return atMs > untilMs ? [] : timed(atMs, [withArguments(own, drawnArguments(step.input, stream))]);
    });
  });
}

/** A conditional step with the moment at which it happened; or why it did not happen, in sentences. */
function withMoment(step: Step, waits: ReadonlyMap<number, StoryWait>): Step | string {
  const { place, follows, waits: own, line } = step;
  const metMs = waits.get(own === undefined ? (follows?.place ?? place) : place)?.metMs;
  if (metMs !== undefined) return { ...step, atMs: own === undefined ? metMs + (follows?.afterMs ?? 0) : metMs };
  const what =
    own === undefined ? "The step that it counts from did not happen" : `The condition did not come: ${own.text}`;
  return `${what}. So the step of line ${line} did not happen.`;
}

/** Whether a step acts on a member. Its selector contains it, but a share that is drawn each time may not. */
function isSelected(members: StepMembers, { handset, person }: InvolvedEnds, { handsets, people }: Involved): boolean {
  if (members.kind === "handsets") return handsets.select(members.selector).indexOf(handset.channel - 1) !== -1;
  if ("phone" in members.choice || person?.place === undefined) return true;
  return people.select(members.choice).indexOf(person.place) !== -1;
}

/** A step with other values of some arguments. */
function withArguments(step: WrittenTree, changed: WrittenTree): WrittenTree {
  if (Object.keys(changed).length === 0) return step;
  return Object.fromEntries(
    Object.entries(step).map(([verb, args]) => [verb, { ...(args as WrittenTree), ...changed }]),
  );
}

function handSteps({ reader, written, involved, untilMs, notes }: StorySource): TimedStep[] {
  const steps: TimedStep[] = [];
  const untold = new Map<string, number>();
  const hasFlows = written["data"] !== undefined;
  for (const input of reader.inputs()) {
    if (input.atMs > untilMs) break;
    const told = inputSteps(input, { hasFlows });
    if (typeof told === "string") untold.set(told, (untold.get(told) ?? 0) + 1);
    else for (const one of told) for (const { step } of fitted(one, involved)) steps.push(...timed(input.atMs, [step]));
  }
  if (untold.size > 0) {
    const words = [...untold].map(([what, times]) => (times === 1 ? what : `${times} times ${what}`));
    notes.push(`No step repeats ${words.join(", ")}.`);
  }
  return steps;
}

/** Inputs that change nothing for phones and people. */
const HARMLESS = new Set(["clock", "tokens", "past", "account", "account-part"]);

/** Requests that made messages: a step sends each message of the chain. */
const SENDS = /^POST .*\/(broadcasts|messages)\.json/;

/** An input as steps of the scenario language; a string names an input that the language cannot express. */
function inputSteps(
  { kind, json }: RecordedInput,
  { hasFlows }: { readonly hasFlows: boolean },
): WrittenTree[] | string {
  const input = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const of = input["of"] as string;
  switch (kind) {
    case "hand": {
      const verb = input["verb"] as string;
      const args = input["args"] as { readonly text?: string } | null;
      return [{ [verb]: verb === "note" ? (args?.text ?? "") : spelled(args ?? {}) }];
    }
    case "alarm":
      return [{ event: { of, type: "alarm" } }];
    case "call": {
      const fields = { phone: String(input["phone"]), duration: String(input["durationS"]) };
      return [{ event: { of, type: String(input["type"]), fields } }];
    }
    case "resend":
      return "an event sent again by hand";
    case "delivery-url":
      return "a change of a delivery URL";
    case "resthook":
      return "an event of a resthook";
    case "api": {
      const request = `${input["method"] as string} ${(input["path"] as string).split("?")[0]}`;
      if (SENDS.test(request)) return [];
      const starts = hasFlows && /^POST .*\/flow_starts\.json/.test(request) ? flowSteps(input["body"]) : [];
      return starts.length > 0 ? starts : `the API request ${request}`;
    }
    default:
      return HARMLESS.has(kind) ? [] : `an input of the kind ${kind}`;
  }
}

/** A flow start of the API that names URNs. */
function flowSteps(body: unknown): WrittenTree[] {
  const { flow, urns, extra } = (body ?? {}) as { flow?: unknown; urns?: unknown; extra?: unknown };
  if (typeof flow !== "string" || !Array.isArray(urns)) return [];
  return urns.flatMap((urn: unknown) => {
    const phone = typeof urn === "string" ? /^tel:(\+\d+)$/.exec(urn)?.[1] : undefined;
    if (phone === undefined) return [];
    return [{ flow: { person: phone, flow, ...(extra !== undefined && extra !== null && { extra: spelled(extra) }) } }];
  });
}

function timed(atMs: number, steps: readonly WrittenTree[]): TimedStep[] {
  const isSaid = (step: WrittenTree): boolean => ["text", "call", "send", "event", "flow"].some((verb) => verb in step);
  return steps.map((step) => ({ atMs, rank: isSaid(step) ? 2 : 0, step }));
}

/** A selector as it is written. */
type Written = string | readonly RawValue[];

/** For selectors of steps: one with a share that is drawn each time selects all members. */
const inStep = { isRepeated: true };

/** A step restricted to one pair of the chain. */
interface FittedStep {
  readonly step: WrittenTree;
  /** Absent: it has no selector. */
  readonly ends?: InvolvedEnds;
}

/** The step restricted to the chain's members, one step for each; none if it touches no member. */
function fitted(step: WrittenTree, involved: Involved): FittedStep[] {
  const [[verb, args] = ["", null]] = Object.entries(step);
  if (LEFT_OUT.has(verb)) return [];
  if (typeof args !== "object" || args === null || Array.isArray(args)) return [{ step }];
  const selectors = Object.entries(args as WrittenTree).filter(
    ([key, value]) =>
      (selectorKeys as readonly string[]).includes(key) && (typeof value === "string" || Array.isArray(value)),
  ) as [string, Written][];
  if (selectors.length === 0) return [{ step }];
  const kept = withoutChance(verb, args as WrittenTree);
  if (kept === undefined) return [];
  const spoken = new Set<string>();
  return candidates(selectors, involved).flatMap((ends) => {
    const chosen: Record<string, RawValue> = {};
    for (const [key, value] of selectors) {
      const member = memberIn(value, ends, involved);
      if (member === undefined) return [];
      chosen[key] = member;
    }
    // A person talks to one handset, even where the chain has two handsets.
    const who = ends.person?.name ?? ends.handset.name;
    if (spoken.has(who)) return [];
    spoken.add(who);
    return [{ step: { [verb]: { ...kept, ...chosen } }, ends }];
  });
}

/** Removes the share of lost syncs from the arguments: the scenario has a separate step for each recorded loss. */
function withoutChance(verb: string, args: WrittenTree): WrittenTree | undefined {
  if (verb !== "network" || args["loses"] === undefined) return args;
  const { loses: _, ...rest } = args;
  return rest["type"] === undefined && rest["latency"] === undefined ? undefined : rest;
}

/**
 * The members that a step may touch. A step that names handsets and people: the chain's pairs; only handsets: each
 * handset; only people: each person.
 */
function candidates(selectors: readonly [string, Written][], involved: Involved): readonly InvolvedEnds[] {
  const { cast, ends } = involved;
  const names = selectors.map(([, value]) => "selector" in selectMembers(value, "handsets", cast, inStep));
  const [main] = ends;
  if (names.every(Boolean)) return handsetsOf(involved).map((handset) => ({ handset, person: undefined }));
  if (!names.some(Boolean)) return peopleOf(involved).map((person) => ({ handset: main.handset, person }));
  return [...ends];
}

/** The name of the handset or person, if a selector selects it. */
function memberIn(
  written: Written,
  { handset, person }: InvolvedEnds,
  { cast, handsets, people }: Involved,
): string | undefined {
  const ofHandsets = selectMembers(written, "handsets", cast, inStep);
  if ("selector" in ofHandsets) {
    return handsets.select(ofHandsets.selector).indexOf(handset.channel - 1) === -1 ? undefined : handset.name;
  }
  if (person === undefined) return undefined;
  if (written === person.phone) return person.name;
  const ofPeople = selectMembers(written, "people", cast, inStep);
  if (!("selector" in ofPeople) || person.place === undefined) return undefined;
  return people.select(ofPeople.selector).indexOf(person.place) === -1 ? undefined : person.name;
}

/** Arguments of a hand (JSON) in the spelling of a scenario. */
function spelled(value: unknown): RawValue {
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spelled(one)]));
  return typeof value === "string" ? value : value === null ? null : JSON.stringify(value);
}
