import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * A separate process that writes a recording with the current sources, so that a test can kill it: at most 250 rows may
 * be lost, which the process itself cannot observe.
 */
export class WriterProcess {
  readonly #folder: string;

  /** @param folder - an empty one; the sources are compiled into it */
  constructor(folder: string) {
    this.#folder = folder;
    const root = fileURLToPath(new URL("../..", import.meta.url));
    for (const room of ["base", "store", "gateway", "sim", "wire"]) {
      compile(join(root, "src", room), join(folder, "src", room));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "version": "0" }');
    writeFileSync(join(folder, "write.js"), script);
  }

  /**
   * Starts writing events, each followed by its attempt, until the process is killed or fails twice.
   *
   * @param limitKiB - the largest file that the process may write
   */
  start(path: string, limitKiB?: number): RunningWriter {
    const limit = limitKiB === undefined ? "" : `ulimit -f ${limitKiB}; `;
    const command = `${limit}exec "$0" "$@"`;
    const child = spawn("bash", ["-c", command, process.execPath, join(this.#folder, "write.js"), path]);
    return new RunningWriter(child);
  }
}

/** A process that prints `n` after each pair of rows, unbuffered, and ends with `failed CODE CODE` after two errors. */
export class RunningWriter {
  readonly #child: ChildProcess;
  #output = "";
  readonly ended: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.ended = new Promise((resolve) => child.on("close", () => resolve()));
  }

  get lines(): readonly string[] {
    return this.#output.split("\n").slice(0, -1);
  }

  /** Rows that it had passed to the recording when it last printed. */
  get rows(): number {
    return 2 * Number(this.lines.findLast((line) => /^\d+$/u.test(line)) ?? 0);
  }

  kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    return this.ended;
  }
}

function compile(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".ts")) continue;
    const target = join(to, entry.replace(/\.ts$/u, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const compilerOptions = {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
    };
    writeFileSync(target, ts.transpileModule(readFileSync(join(from, entry), "utf8"), { compilerOptions }).outputText);
  }
}

/** Each event is followed by its attempt, so a test can check any prefix of the rows. */
const script = `
import { writeSync } from "node:fs";
import { Recording } from "./src/store/index.js";

const meta = { name: "killed", seed: 1, version: "0", scenario: { file: "", text: "" }, startsAtMs: 0, lastsMs: 0,
  preset: { attempts: 4 }, startedWallMs: 0, options: {} };
const attempt = { try: 1, dueAtMs: 0, effectAtMs: 0, sentWallMs: 0, durationMs: 1, latencyMs: 1, status: 200,
  error: null, outcome: "accepted", headers: null, bodyBytes: 2, redirects: [], latenessMs: null, isRepeat: false, step: null, url: "http://127.0.0.1/" };
const recording = Recording.create(process.argv[2], meta);
const codes = [];
for (let row = 1; codes.length < 2; row++) {
  const [channel, number] = [1 + (row * 7919) % 1000, row];
  try {
    recording.event({ row, channel, number, atMs: row, type: "mo_sms", body: "n=" + row, subject: null, copy: null });
    recording.attempt({ ...attempt, channel, number, body: Buffer.alloc(row % 300) });
    writeSync(1, row + "\\n");
  } catch (error) {
    codes.push(error.code);
  }
}
recording.close();
writeSync(1, "failed " + codes.join(" ") + "\\n");
`;
