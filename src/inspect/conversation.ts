import { LabError } from "../base/index.js";
import {
  durationLiteral,
  type Scenario,
  type ScenarioInput,
  scenarioYaml,
  selectPeople,
  type StepInput,
} from "../scenario/index.js";
import { Streams } from "../sim/index.js";
import type { RecordedFlowRun, RecordedMessage, RecordingReader } from "../store/index.js";
import { formatTimestamp, phoneOfUrn } from "../wire/index.js";
import { Parts } from "../world/index.js";
import { scenarioOf } from "./recorded-scenario.js";

/** A scenario that repeats what a person and the service said to each other. */
export interface ConversationScenario {
  /** YAML. */
  readonly text: string;
  readonly steps: number;
}

/** Time in which a text must be heard or a result saved again, unless it took longer in the recording. */
const WITHIN_MS = 2 * 60_000;

/** Virtual time from the last step's window to the end of the scenario. */
const MARGIN_MS = 60_000;

/** Names of the only person and the only carrier of the scenario. */
const PERSON = "person";
const CARRIER = "line";

/**
 * The account files that were loaded into a recording, as they were named. A load that was interrupted is listed
 * twice.
 */
export function accountFilesOf(reader: RecordingReader): string[] {
  const files = [...reader.inputs()].flatMap(({ kind, json }) => {
    if (kind !== "account") return [];
    const { file } = JSON.parse(json) as { readonly file?: string };
    return file === undefined ? [] : [file];
  });
  return [...new Set(files)];
}

/**
 * Turns the conversation of one person into a scenario: what the person did becomes steps; what the service sent and
 * saved becomes expectations. Instants are those of the recording. Carriers do not delay, so that the order stays.
 *
 * @param options - `person`: a selector of one person, or a phone number; `data`: account files for the scenario
 * @throws LabError `bad-options` for a person who is unknown or said and heard nothing
 */
export function conversationScenario(
  reader: RecordingReader,
  options: { readonly person: string; readonly data: readonly string[] },
): ConversationScenario {
  const meta = reader.meta();
  const scenario = scenarioOf(meta, reader.path);
  const phone = phoneOf(options.person, scenario);
  const messages = [...reader.messages()].filter((message) => message.phone === phone);
  const calls = [...reader.calls()].filter((call) => call.phone === phone && call.type === "mo_miss");
  if (messages.length + calls.length === 0) {
    throw new LabError("bad-options", `${options.person} (${phone}) said and heard nothing in ${reader.path}`);
  }
  const contact = messages[0]?.contact ?? calls[0]?.contact ?? 0;
  const runs = [...reader.flowRuns()].filter((run) => run.contact === contact);
  const flows = new Map([...reader.flows()].map(({ id, name }) => [id, name]));
  const handsets = new Map([...reader.channels()].map((channel) => [channel.id, `handset-${channel.id}`]));
  const to = (channel: number): string => handsets.get(channel) ?? "handset-1";
  const steps: TimedStep[] = [
    ...startedRuns(runs, messages).map(({ flow, createdAtMs }) =>
      stepAt(createdAtMs, 0, { flow: { person: PERSON, flow: flows.get(flow) ?? "" } }),
    ),
    ...messages.flatMap((message) => messageSteps(message, to(message.channel), reader)),
    ...calls.map(({ createdAtMs, channel }) => stepAt(createdAtMs, 0, { call: { from: PERSON, to: to(channel) } })),
    ...runs.flatMap((run) => resultSteps(run, flows.get(run.flow) ?? "")),
  ];
  const sorted = steps.toSorted((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  const endMs = Math.max(...sorted.map(({ atMs, withinMs }) => atMs + withinMs)) + MARGIN_MS;
  const used = new Set([...messages, ...calls].map(({ channel }) => channel));
  const text = scenarioYaml({
    name: `Conversation of ${options.person}`,
    about: `Recorded from ${scenario.name}.`,
    seed: meta.seed,
    starts: formatTimestamp(meta.startsAtMs),
    lasts: durationLiteral(Math.ceil(endMs / 60_000) * 60_000),
    timezone: scenario.cast.timezone,
    ...(options.data.length > 0 && { data: options.data.length === 1 ? options.data[0] : options.data }),
    receiver: "none",
    carriers: { [CARRIER]: { delay: "0s" } },
    handsets: Object.fromEntries(
      [...reader.channels()]
        .filter(({ id }) => used.has(id))
        .map(({ id, phone: number }) => [to(id), { phone: number, carrier: CARRIER }]),
    ),
    people: { [PERSON]: personOf(phone, scenario, reader, to([...used][0] ?? 1)) },
    story: sorted.map(({ step }) => step),
  } as ScenarioInput);
  return { text, steps: sorted.length };
}

/** A step, its rank within an instant (actions before expectations), and its window. */
interface TimedStep {
  readonly atMs: number;
  readonly rank: number;
  readonly withinMs: number;
  readonly step: StepInput;
}

type Act = Omit<StepInput, "at" | "after">;

/**
 * A step at a full second. Rounding may move an expectation later than in the recording, but never before the end of
 * its window.
 */
function stepAt(ms: number, rank: number, act: Act, withinMs = 0): TimedStep {
  const atMs = Math.max(0, Math.floor(ms / 1000) * 1000);
  return { atMs, rank, withinMs, step: { at: durationLiteral(atMs), ...act } as StepInput };
}

function messageSteps(message: RecordedMessage, handset: string, reader: RecordingReader): TimedStep[] {
  const { id, direction, origin, text, createdAtMs } = message;
  if (direction === "I") return [stepAt(createdAtMs, 0, { text: { from: PERSON, to: handset, body: text } })];
  const [heardAtMs] = reader.lookup().hearingsOf(id);
  const isSent = origin === "flow" || origin === "campaign";
  const send = stepAt(createdAtMs, 0, { send: { via: handset, to: PERSON, body: text } });
  const before = isSent ? [] : [send];
  if (heardAtMs === undefined) return before;
  const withinMs = Math.max(WITHIN_MS, Math.ceil((2 * (heardAtMs - createdAtMs)) / 60_000) * 60_000);
  const within = durationLiteral(withinMs);
  const expectation = { person: PERSON, hears: patternInput(text), within };
  return [...before, stepAt(createdAtMs, 1, { expect: expectation }, withinMs)];
}

/** The results that a run saved: all answers, and results of actions. */
function resultSteps({ answers, results }: RecordedFlowRun, flow: string): TimedStep[] {
  const saved = [
    ...answers.map(({ label, category, value, text, atMs }) => ({
      label,
      category,
      value,
      atMs,
      hasInput: text !== "",
    })),
    ...Object.values(results)
      .filter(({ name, atMs }) => !answers.some((answer) => answer.label === name && answer.atMs === atMs))
      .map(({ name, category, value, atMs, input }) => ({
        label: name,
        category: category ?? "",
        value,
        atMs,
        hasInput: input === null || input !== "",
      })),
  ];
  return saved.map(({ label, category, value, atMs, hasInput }) => {
    const wanted = {
      person: PERSON,
      result: label,
      // The value of a timeout is its instant.
      ...(hasInput && value !== "" && { is: exactInput(value) }),
      ...(category !== "" && { category }),
      ...(flow !== "" && { flow }),
      within: durationLiteral(WITHIN_MS),
    };
    return stepAt(atMs, 1, { expect: wanted }, WITHIN_MS);
  });
}

/** The runs that somebody started: they began without a text or call of the person and without another run. */
function startedRuns(runs: readonly RecordedFlowRun[], messages: readonly RecordedMessage[]): RecordedFlowRun[] {
  const spoken = new Set(messages.filter(({ direction }) => direction === "I").map(({ createdAtMs }) => createdAtMs));
  return runs.filter((run, index) => {
    const { createdAtMs: atMs } = run;
    if (spoken.has(atMs)) return false;
    const isInside = ({ createdAtMs, exitedAtMs, exit }: RecordedFlowRun, place: number): boolean =>
      place < index &&
      createdAtMs <= atMs &&
      (exitedAtMs === null || exitedAtMs > atMs || (exitedAtMs === atMs && exit !== "interrupted"));
    return !runs.some(isInside);
  });
}

/** A pattern that matches any text containing this one. Slashes at both ends would make it a regular expression. */
export function patternInput(text: string): string {
  return /^\/.+\/[a-zA-Z]*$/s.test(text) ? `/${escaped(text)}/` : text;
}

export function exactInput(text: string): string {
  return /^\/.+\/[a-zA-Z]*$/s.test(text) ? `/^${escaped(text)}$/` : text;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function phoneOf(person: string, { cast, seed }: Scenario): string {
  const selected = selectPeople(person, cast);
  if ("message" in selected) throw new LabError("bad-options", `--person ${person}: ${selected.message}`);
  const { choice } = selected;
  if ("phone" in choice) return choice.phone;
  const { people } = new Parts({ cast, count: 1, streams: new Streams(seed) });
  const selection = people.select(choice);
  if (selection.count !== 1) {
    throw new LabError("bad-options", `--person ${person} selects ${selection.count} people: name one, as farmers/3`);
  }
  return people.phoneAt(selection.at(0));
}

/** The person, with the name and language that the service knew before the conversation. */
function personOf(phone: string, { cast, seed }: Scenario, reader: RecordingReader, home: string): object {
  const { people } = new Parts({ cast, count: 1, streams: new Streams(seed) });
  const place = people.placeOf(phone);
  const group = place === undefined ? undefined : people.memberAt(place).group;
  const contact = [...reader.contacts()].find(({ urns }) => urns.some((urn) => phoneOfUrn(urn) === phone));
  const name = group?.displayName === undefined ? undefined : (contact?.name ?? undefined);
  return {
    ...(phone.startsWith("+") ? { phone } : { sender: phone }),
    name,
    language: group?.language,
    of: home,
  };
}
