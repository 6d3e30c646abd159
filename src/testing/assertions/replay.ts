import { AssertionError } from "node:assert";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../../base/index.js";
import { filesBeside } from "../../lab/index.js";
import { errorText, type ExactOutcome } from "../../exact/index.js";
import type { RunOutcome } from "../../run/index.js";
import { type ExactInput, formatDiagnostics, kindOfFile, parseExact, parseScenario } from "../../scenario/index.js";
import { openRecording, type RecordedEvent } from "../../store/index.js";
import { decodeEvent, parseForm } from "../../wire/index.js";
import type { LabEvent } from "../lab/log.js";
import { callersStack } from "../messages/callers-stack.js";
import { receiverLines } from "../messages/receiver-lines.js";
import { clockText, excerpt, quoted } from "../messages/words.js";
import { ReceiverFront } from "../receiver/front.js";
import type { TestReceiver } from "../receiver/kinds.js";

/** Most texts that a message lists: the last ones. */
const HEARD_MAX = 10;

/** Where a bug file is played. */
export interface ReplayWanted {
  /** Your receiver; default: the URL in the file, else the bundled receiver. */
  readonly receiver?: TestReceiver;
  /** Path at which a handler in this process gets the events; default `/`. */
  readonly path?: string;
  /** Hosts that events may be sent to, in addition to this machine. */
  readonly allowHosts?: readonly string[];
}

/**
 * Plays a bug file, as `handset minimise` writes it, and asserts that the bug is not there.
 *
 * @param file - path of the bug file: exact requests, or a scenario that says what is right
 * @throws AssertionError while the bug is there, with the requests, the answers and what would be right; LabError
 *   `no-receiver` when the receiver cannot be judged, `not-read`, `bad-options`
 */
export async function expectReplay(file: string, options: ReplayWanted = {}): Promise<void> {
  const origin = callersStack(expectReplay);
  const text = readBugFile(file);
  const { receiver, path = "/", allowHosts = [] } = options;
  const front = receiver === undefined ? undefined : await ReceiverFront.open({ receiver, path, allowHosts });
  try {
    const problem =
      kindOfFile(text) === "exact"
        ? await playExactFile({ file, text, front, allowHosts })
        : await playScenarioFile({ file, text, front, allowHosts });
    if (problem === undefined) return;
    throw origin.put(new AssertionError({ message: problem, operator: "expectReplay" }));
  } finally {
    await front?.close();
  }
}

interface OpenFile {
  readonly file: string;
  readonly text: string;
  readonly front: ReceiverFront | undefined;
  readonly allowHosts: readonly string[];
}

/** @returns what is wrong; undefined: the bug is not there */
async function playExactFile({ file, text, front, allowHosts }: OpenFile): Promise<string | undefined> {
  const { input, diagnostics } = parseExact(text, file);
  if (input === undefined) throw unsound(file, formatDiagnostics(diagnostics, text));
  // Loaded when it is needed, as it is large.
  const { playExact } = await import("../../run/index.js");
  const outcome = await playExact(input, { allowHosts, ...(front !== undefined && { receiver: front.url }) });
  if (outcome.exitCode === 3) throw notJudged(file, outcome.problem ?? "the receiver did not answer");
  return outcome.exitCode === 0 ? undefined : exactText(file, input, outcome, front);
}

function exactText(file: string, input: ExactInput, outcome: ExactOutcome, front: ReceiverFront | undefined): string {
  const requests = input.requests.flatMap(({ body, type, atMs, with: together }, index) => {
    const before = input.requests[index - 1];
    const moment =
      before === undefined ? "" : together === undefined ? laterText(atMs - before.atMs) : ", at the same moment";
    const answer = outcome.answers[index];
    return [
      `  ${index + 1}. ${bodyText(type, body)}${moment}`,
      ...(answer === undefined
        ? []
        : [
            `     your receiver ${answer.status === null ? `gave no answer: ${errorText(answer.error)}` : answeredText(answer)}`,
          ]),
    ];
  });
  return [
    `The bug of ${file} is there: ${input.about ?? input.name}`,
    "",
    "Sent to your receiver, in this order, and what it answered:",
    ...requests,
    ...brokenLines(outcome.expectations),
    ...thrownLines(front),
    ...playLines(file),
  ].join("\n");
}

function answeredText({ status, body }: ExactOutcome["answers"][number]): string {
  return `answered ${status}${body.trim() === "" ? " with an empty body" : `: ${excerpt(body)}`}`;
}

/** @returns what is wrong; undefined: the bug is not there */
async function playScenarioFile({ file, text, front, allowHosts }: OpenFile): Promise<string | undefined> {
  const { scenario, diagnostics } = parseScenario(text, {
    file,
    nowMs: Date.now(),
    readFile: filesBeside(file),
    readData: filesBeside(file),
  });
  if (scenario === undefined) throw unsound(file, formatDiagnostics(diagnostics, text));
  const { runScenario } = await import("../../run/index.js");
  const folder = mkdtempSync(join(tmpdir(), "handset-replay-"));
  try {
    const recording = join(folder, "replay.db");
    const outcome = await runScenario(scenario, {
      recording,
      allowHosts,
      ...(front !== undefined && { receiver: front.url }),
    });
    if (outcome.exitCode === 0) return undefined;
    const told = storyLines(recording, scenario.service.timeoutMs);
    return scenarioText(file, scenario.about ?? scenario.name, { outcome, told, front });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a run sent to the receiver, and what people heard. */
function storyLines(path: string, timeoutMs: number): string[] {
  const recording = openRecording(path);
  try {
    const events = Array.from(recording.events(), recordedEvent);
    const lookup = recording.lookup();
    const heard = [...recording.messages()]
      .filter(({ direction }) => direction === "O")
      .flatMap(({ id, phone, text }) => lookup.hearingsOf(id).map((atMs) => ({ atMs, phone, text })))
      .toSorted((one, other) => one.atMs - other.atMs)
      .slice(-HEARD_MAX)
      .map(({ atMs, phone, text }) => `  ${clockText(atMs)}  ${phone}: ${quoted(text)}`);
    return [
      "",
      "Sent to your receiver:",
      ...receiverLines(events, { timeoutMs }),
      "",
      ...(heard.length === 0 ? ["Heard by people: nothing"] : ["Heard by people:", ...heard]),
    ];
  } finally {
    recording.close();
  }
}

function recordedEvent({ channel, number, type, atMs, body, attempts }: RecordedEvent): LabEvent {
  return {
    id: `${channel}/${number}`,
    type,
    atMs,
    at: "",
    handset: `channel ${channel}`,
    body,
    event: decodeEvent(body).event,
    state: attempts.some(({ outcome }) => outcome === "accepted") ? "delivered" : "waiting",
    attempts: attempts.map((attempt) => ({
      try: attempt.try,
      atMs: attempt.dueAtMs,
      status: attempt.status ?? undefined,
      answer: attempt.body === null ? "" : Buffer.from(attempt.body).toString("utf8"),
      error: attempt.error ?? undefined,
      outcome: attempt.outcome,
      tookMs: attempt.durationMs,
      thrown: undefined,
    })),
  };
}

function scenarioText(
  file: string,
  about: string,
  {
    outcome: { result },
    told,
    front,
  }: { readonly outcome: RunOutcome; readonly told: readonly string[]; readonly front: ReceiverFront | undefined },
): string {
  return [
    `The bug of ${file} is there: ${about}`,
    ...told,
    ...brokenLines(result.expectations),
    ...(result.problems.length === 0 ? [] : ["", ...result.problems.map((problem) => `  - ${problem}`)]),
    ...thrownLines(front),
    ...playLines(file),
  ].join("\n");
}

function brokenLines(expectations: ExactOutcome["expectations"]): string[] {
  const broken = expectations.filter(({ held }) => !held);
  if (broken.length === 0) return [];
  return ["", "What is right, and was not met:", ...broken.map(({ text, seen }) => `  - ${text}\n    but ${seen}`)];
}

function thrownLines(front: ReceiverFront | undefined): string[] {
  const [thrown] = front?.thrown ?? [];
  return thrown === undefined ? [] : ["", "Your handler threw:", ...stackLines(thrown)];
}

function stackLines(thrown: unknown): string[] {
  if (typeof thrown !== "object" || thrown === null || !("stack" in thrown)) return [`  ${String(thrown)}`];
  return String(thrown.stack)
    .split("\n")
    .slice(0, 4)
    .map((line) => `  ${line.trim()}`);
}

function playLines(file: string): string[] {
  return ["", `To play it at a running receiver: npx handset run ${file} -r http://127.0.0.1:PORT/PATH`];
}

function bodyText(type: string, body: string): string {
  const fields = new Map(parseForm(body).toReversed());
  const [phone, text] = [fields.get("phone"), fields.get("text")];
  return `${type || "no type"}${phone === undefined ? "" : ` of ${phone}`}${text === undefined ? "" : `: ${quoted(text)}`}`;
}

function laterText(ms: number): string {
  return ms === 0 ? "" : `, ${ms >= 60_000 ? `${Math.round(ms / 6000) / 10} min` : `${ms / 1000} s`} later`;
}

function readBugFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new LabError("not-read", `the bug file ${file} cannot be read: ${(error as Error).message}`, {
      hint: `paths count from ${process.cwd()}`,
      cause: error,
    });
  }
}

function unsound(file: string, diagnostics: string): LabError {
  return new LabError("bad-options", `the bug file ${file} is not sound\n${diagnostics.trimEnd()}`);
}

function notJudged(file: string, why: string): LabError {
  return new LabError("no-receiver", `${file} was not judged: ${why}`, { hint: "start your receiver first" });
}
