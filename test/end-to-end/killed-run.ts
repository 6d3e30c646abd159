import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openRecording, type RunResult } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { serveHttp } from "../support/server.js";
import { command } from "./server-process.js";

/** A request that a receiver got, by its mark headers. */
export interface Marked {
  readonly event: string;
  readonly try: string;
  readonly isRepeat: boolean;
}

/**
 * A receiver that keeps its requests. Its answer depends only on the event and the try, so a run is the same however
 * often it is killed. About one first try in nine fails; about one answer in seven to an incoming text holds a reply.
 */
export class MarkedReceiver {
  readonly got: Marked[] = [];
  readonly #watchers = new Set<() => void>();

  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(): Promise<MarkedReceiver> {
    const { url } = await serveHttp((request, response) => {
      const { headers } = request;
      let body = "";
      request.setEncoding("latin1");
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        const event = String(headers["x-handset-event"]);
        const tryNumber = String(headers["x-handset-attempt"]);
        receiver.take({ event, try: tryNumber, isRepeat: headers["x-handset-repeat"] === "1" });
        const chance = chanceOf(event);
        const answer = (): void => {
          if (chance % 9 === 0 && tryNumber === "1") response.writeHead(500).end("not now");
          else if (chance % 7 === 0 && body.includes("event=mo_sms")) response.end(welcome(body));
          else response.end("{}");
        };
        if (chance % 3 === 0) setTimeout(answer, 4);
        else answer();
      });
    });
    const receiver = new MarkedReceiver(url);
    return receiver;
  }

  take(one: Marked): void {
    this.got.push(one);
    for (const watch of this.#watchers) watch();
  }

  /** Calls `then` once, when `count` requests have come. */
  at(count: number, then: () => void): void {
    const watch = (): void => {
      if (this.got.length < count) return;
      this.#watchers.delete(watch);
      then();
    };
    this.#watchers.add(watch);
  }
}

function welcome(body: string): string {
  return JSON.stringify({ urn: [`tel:${new URLSearchParams(body).get("phone")}`], text: "welcome" });
}

/** A hash of an event. */
function chanceOf(event: string): number {
  const [channel = 0, number = 0] = event.split("/").map(Number);
  return (channel * 7919 + number * 104_729) % 10_007;
}

/** How a process that played a run ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `handset run` in a separate process. */
export class RunProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stderr = "";

  constructor(args: readonly string[], through: readonly string[] = []) {
    const [program = "", ...rest] = [...through, process.execPath, command, "run", ...args];
    this.child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    let stdout = "";
    this.child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    this.child.stderr?.on("data", (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr: this.#stderr }));
    });
  }

  /** What it has written to its stderr so far. */
  stderr(): string {
    return this.#stderr;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}

/** `handset run` in this process, for runs that are not killed: a new process takes a second of processor time. */
class RunHere {
  readonly ended: Promise<Ended>;

  constructor(args: readonly string[]) {
    this.ended = handset(["run", ...args]).then((ended) => ({ ...ended, signal: null }));
  }
}

/** The state of a run that was killed, perhaps often, and has ended. */
export interface Account {
  readonly result: RunResult;
  /** Recorded events that the receiver never got. */
  readonly missing: readonly string[];
  /** Tries that the receiver got again without the mark. */
  readonly unmarked: readonly string[];
  /** Attempts with the mark: at the receiver, and in the recording. */
  readonly marked: { readonly received: number; readonly recorded: number };
  /** Tries that are recorded twice. */
  readonly recordedTwice: number;
  readonly kills: number;
}

/**
 * Plays a scenario's file, kills it at random moments and resumes it each time, until it ends.
 *
 * @param options - `random`: 0..1; `kills`: at most; `requests`: approximate number in the whole run; `report`: path of the
 *   report
 */
export async function killOften(
  receiver: MarkedReceiver,
  options: {
    readonly scenario: string;
    readonly recording: string;
    readonly pace: string;
    readonly kills: number;
    readonly requests: number;
    readonly report: string;
    readonly random: () => number;
  },
): Promise<Account> {
  const { scenario, recording, pace, random, requests } = options;
  let kills = 0;
  let started: RunProcess | RunHere = new RunProcess([
    scenario,
    "--pace",
    pace,
    "--recording",
    recording,
    "--json",
    "-q",
    "--no-report",
  ]);
  for (;;) {
    const playing = started;
    if (playing instanceof RunProcess) {
      // Counting requests makes each process progress before its kill; the delay varies the moment.
      // The first kill comes during the run; later ones may come after its end.
      const share = kills === 0 ? 0.6 : 1.4;
      const count = receiver.got.length + Math.ceil((random() * share * requests) / options.kills);
      receiver.at(count, () => setTimeout(() => playing.kill(), random() * 20));
    }
    const ended = await playing.ended;
    if (ended.signal === null) {
      if (ended.code !== 0) throw new Error(`it ended with ${ended.code}: ${ended.stderr}`);
      return { ...accountOf(recording, receiver.got), result: JSON.parse(ended.stdout) as RunResult, kills };
    }
    kills++;
    if (!existsSync(recording)) throw new Error("it was killed before it began");
    const goesOn = ["--resume", recording, "--json", "-q", "--report", options.report];
    started = kills < options.kills ? new RunProcess(goesOn) : new RunHere(goesOn);
  }
}

function accountOf(recording: string, got: readonly Marked[]): Omit<Account, "result" | "kills"> {
  const reader = openRecording(recording);
  try {
    const events = new Set(got.map(({ event }) => event));
    const tries = new Set<string>();
    const unmarked: string[] = [];
    for (const { event, try: tryNumber, isRepeat } of got) {
      const key = `${event} try ${tryNumber}`;
      if (tries.has(key) && !isRepeat) unmarked.push(key);
      tries.add(key);
    }
    const recorded = [...reader.attempts()];
    return {
      missing: [...reader.events()]
        .map(({ channel, number }) => `${channel}/${number}`)
        .filter((one) => !events.has(one)),
      unmarked,
      marked: {
        received: got.filter(({ isRepeat }) => isRepeat).length,
        recorded: recorded.filter(({ isRepeat }) => isRepeat).length,
      },
      recordedTwice: recorded.length - new Set(recorded.map((one) => `${one.channel}/${one.number}/${one.try}`)).size,
    };
  } finally {
    reader.close();
  }
}

/** A scenario's file in a separate folder. */
export function scenarioFile(text: string): { readonly scenario: string; readonly recording: string } {
  const folder = temporaryFolder();
  const scenario = join(folder, "day.yaml");
  writeFileSync(scenario, text);
  return { scenario, recording: join(folder, "day.db") };
}

/** Texts, people's replies, an outage and retries: about 860 requests in 8 virtual minutes. */
export function busyDay(url: string, lasts: string): string {
  return `
name: Busy day
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: ${lasts}
receiver: { url: "${url}", marks: true }
handsets:
  clinic: { count: 10, phone: "+2507880{00000}", battery: 55%..100%, network: LTE }
people:
  farmers: { count: 100, of: clinic, phone: "+2507811{00000}", replies: { chance: 60%, after: 20s..3m, with: [yes, no] } }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP", "maize 12kg"] } }
    rate: 60/m
  - sends: { via: clinic, to: farmers, body: hello }
    rate: 20/m
story:
  - at: 3m
    network: { of: clinic/0..4, type: none, for: 4m }
`;
}
