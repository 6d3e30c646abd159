import { setImmediate as nextTurn } from "node:timers/promises";
import type { BugInput, ChainBug } from "../../console/index.js";
import { rightBehaviour } from "../../exact/index.js";
import { eventId } from "../../measure/index.js";
import { findSubject, lifeOf } from "../../report/index.js";
import { formatTimestampZoned, onOneLine } from "../../wire/index.js";
import { LOG_SCAN_ROWS, type RecordingReader } from "../../store/index.js";
import { refuseUnknown } from "../chain/refuse-unknown.js";
import type { ControlParts } from "../control-parts.js";
import { refusal } from "../refusal.js";
import { type AnsweredRequest, requestsOf, type SentAttempt } from "./chain-requests.js";
import type { MinimiserInput } from "./minimiser.js";
import { choicesOf, failingAt, proposedCondition, readCondition } from "./what-is-wrong.js";
import { writeChainBug } from "./write-chain-bug.js";

/** Most requests that are minimised here, as in a bug file. */
const REQUESTS_MAX = 10_000;

/** Most events of a chain whose requests a bug file gets. */
const EVENTS_MAX = 1000;

/** Makes bug files of chains, and the input of their minimising. It only reads the lab. */
export class ChainBugs {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /**
   * The bug file of what belongs to an event or message.
   *
   * @param wrong - what is wrong, as `--while` spells it; absent: what the recorded answers show
   * @throws ControlRefusal 400, 404
   */
  bugOf(id: string, wrong: string | undefined): ChainBug {
    const reader = this.#reader();
    const { answered, about, own } = this.#answered(reader, id);
    const text = wrong ?? proposedCondition(answered);
    const condition = text === undefined ? undefined : readCondition(text);
    const failing = condition === undefined ? undefined : failingAt(answered, condition);
    const { timeoutMs } = reader.meta().preset;
    const type = (failing === undefined ? own : answered[failing])?.request.type ?? "";
    const notes =
      condition !== undefined && failing === undefined && answered.length > 0
        ? [
            "The recorded answers do not show this. The file says what is right; play it to see whether the bug is there.",
          ]
        : [];
    return {
      condition: condition?.text ?? null,
      is_proposed: wrong === undefined && condition !== undefined,
      choices: choicesOf(type),
      requests: answered.length,
      failing: failing === undefined ? null : failing + 1,
      right: condition === undefined ? null : rightBehaviour(condition, timeoutMs).words,
      yaml:
        condition === undefined || answered.length === 0
          ? null
          : writeChainBug(answered, {
              condition,
              failing,
              timeoutMs,
              at: formatTimestampZoned(
                reader.meta().startsAtMs + (answered[failing ?? answered.length - 1]?.atMs ?? 0),
              ),
              about,
              isAll: false,
              file: fileOf(id),
            }),
      notes,
      no_minimise: this.#whyNotHere(answered.length),
      command: this.#command(id, condition?.text ?? "CONDITION"),
    };
  }

  /**
   * The requests of the recording up to the one that shows what is wrong, as a file that `handset minimise` reads.
   *
   * @returns no requests: none of the event's reached a receiver
   * @throws ControlRefusal 400, 404, 409
   */
  async inputOf(id: string, wrong: string): Promise<BugInput> {
    const reader = this.#reader();
    const condition = readCondition(wrong);
    const { answered, about } = this.#answered(reader, id);
    const failing = failingAt(answered, condition);
    const last = answered[failing ?? answered.length - 1];
    if (last === undefined) return { name: inputFileOf(id), requests: 0, yaml: "" };
    const requests = (await this.#upTo(reader, last)).slice(-REQUESTS_MAX);
    const { startsAtMs, preset } = reader.meta();
    const yaml = writeChainBug(requests, {
      condition,
      failing: failing === undefined ? undefined : requests.length - 1,
      timeoutMs: preset.timeoutMs,
      at: formatTimestampZoned(startsAtMs + last.atMs),
      about,
      isAll: true,
      file: inputFileOf(id),
    });
    return { name: inputFileOf(id), requests: requests.length, yaml };
  }

  /**
   * What a search begins with.
   *
   * @throws ControlRefusal 400, 404, 409
   */
  async searchOf(id: string, wrong: string): Promise<{ readonly input: MinimiserInput; readonly command: string }> {
    const reader = this.#reader();
    const condition = readCondition(wrong);
    const { answered } = this.#answered(reader, id);
    const why = this.#whyNotHere(answered.length);
    const receiver = this.#parts.receiver();
    const last = answered[failingAt(answered, condition) ?? answered.length - 1];
    if (why !== null || receiver === null || last === undefined) throw refusal("detail", why ?? "No receiver", 409);
    const requests = (await this.#upTo(reader, last)).map(({ request }) => request);
    const { hostname, port } = new URL(receiver);
    return {
      input: {
        requests: requests.slice(-REQUESTS_MAX),
        receiver,
        condition: condition.text,
        // The lab sends there already.
        allowHosts: [hostname, `${hostname}:${port}`],
        file: fileOf(id),
      },
      command: this.#command(id, condition.text),
    };
  }

  /** The recorded requests until the one that shows the failure, at least it. Other work gets its turn meanwhile. */
  async #upTo(reader: RecordingReader, last: AnsweredRequest): Promise<AnsweredRequest[]> {
    const { log } = this.#parts.lab();
    const [channel = 0, number = 0] = last.event.split("/").map(Number);
    let below = (reader.lookup().event(channel, number)?.row ?? 0) + 1;
    const attempts: SentAttempt[] = [];
    while (attempts.length < REQUESTS_MAX) {
      const events = log.scan({ by: "all", above: 0, below, direction: "older" });
      for (const event of events) {
        for (const attempt of log.attemptsOf(event)) {
          if (attempt.dueAtMs <= last.dueAtMs) attempts.push({ event: eventId(event), body: event.body, attempt });
        }
      }
      below = events.at(-1)?.row ?? 0;
      if (events.length < LOG_SCAN_ROWS) break;
      await nextTurn();
      if (this.#parts.lab().log !== log) throw refusal("detail", "Another lab is served now.", 409);
    }
    return requestsOf(attempts);
  }

  #answered(
    reader: RecordingReader,
    id: string,
  ): { readonly answered: AnsweredRequest[]; readonly about: string; readonly own: AnsweredRequest | undefined } {
    return refuseUnknown(() => {
      const life = lifeOf(reader, id);
      const subject = findSubject(reader, id);
      const ids = new Set(life.entries.flatMap(({ event }) => (event === undefined ? [] : [event])));
      const attempts = [...ids].slice(0, EVENTS_MAX).flatMap((event): SentAttempt[] => {
        const [channel = 0, number = 0] = event.split("/").map(Number);
        const body = reader.lookup().event(channel, number)?.body;
        if (body === undefined) return [];
        return reader.attemptsOf(channel, number).map((attempt) => ({ event, body, attempt }));
      });
      const answered = requestsOf(attempts);
      const asked = subject.asked === undefined ? undefined : eventId(subject.asked);
      const own = answered.find(({ event }) => event === asked) ?? answered[0];
      return { answered, about: onOneLine(life.about), own };
    });
  }

  #whyNotHere(requests: number): string | null {
    const { served, minimiser } = this.#parts;
    if (requests === 0) return "No request of it reached a receiver.";
    if (served === undefined) return "A run's receiver is judged by the run, so nothing else is sent to it.";
    if (this.#parts.receiver() === null) return "This lab has no receiver.";
    return minimiser === undefined ? "This server was started without it." : null;
  }

  #command(id: string, condition: string): string {
    const words = [
      "handset",
      "minimise",
      inputFileOf(id),
      "-r",
      this.#parts.receiver() ?? "URL",
      "--while",
      condition,
      "--",
      "COMMAND",
    ];
    return words.map(quoted).join(" ");
  }

  #reader(): RecordingReader {
    const { recording } = this.#parts.lab();
    recording.flush();
    return recording.reader();
  }
}

/** A word of a command line, as shells read it. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function inputFileOf(id: string): string {
  return fileOf(id).replace(".bug.", ".all.");
}

function fileOf(id: string): string {
  return `from-${id.replace("/", "-")}.bug.yaml`;
}
