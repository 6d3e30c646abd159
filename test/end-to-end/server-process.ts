import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, vi } from "vitest";
import { runCommandLine } from "../../src/cli/program.js";
import { temporaryFolder } from "../support/folder.js";
import { Client } from "./served.js";

/** The command as it is installed; `npm test` builds it first. */
export const command = "dist/bin/handset.js";

/** A running `handset serve` with its output. */
class Serving {
  /** Its XDG_RUNTIME_DIR, where it announces its lab. */
  readonly session: string;
  stdout = "";
  stderr = "";

  constructor(session: string) {
    this.session = session;
  }

  /** The value of a row that it printed at its start. */
  row(name: string): string {
    return new RegExp(`^  ${name} +(.+)$`, "m").exec(this.stdout)?.[1] ?? "";
  }

  get token(): string {
    return this.row("token");
  }

  get api(): Client {
    return new Client(this.row("REST API"), this.token);
  }

  get lab(): Client {
    return new Client(this.row("control API").replace(/\/$/, ""), this.row("its token"));
  }
}

/** `handset serve` in a separate process, for tests that send signals. The end of the test kills it. */
export class ServerProcess extends Serving {
  readonly child: ChildProcess;

  private constructor(child: ChildProcess, session: string) {
    super(session);
    this.child = child;
    child.stdout?.on("data", (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /**
   * Starts it on a free port, and waits until it listens.
   *
   * @param through - a program, with arguments, that starts the command
   */
  static async start(
    args: readonly string[],
    session = temporaryFolder(),
    through: readonly string[] = [],
  ): Promise<ServerProcess> {
    const [program = "", ...rest] = [...through, process.execPath, command, "serve", "--port", "0", ...args];
    const child = spawn(program, rest, {
      env: { ...process.env, XDG_RUNTIME_DIR: session, NO_COLOR: "1" },
    });
    const server = new ServerProcess(child, session);
    onTestFinished(() => void child.kill("SIGKILL"));
    const end = once(child, "exit").then(() => {
      throw new Error(`it ended: ${server.stderr}`);
    });
    end.catch(() => undefined);
    while (!server.stdout.includes("Try:")) await Promise.race([once(server.child.stdout ?? child, "data"), end]);
    return server;
  }

  /** Sends a signal. @returns the exit code, null after a kill */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exit = once(this.child, "exit") as Promise<[number | null]>;
    this.child.kill(signal);
    const [code] = await exit;
    return code;
  }
}

/** The same command in this process: starting another takes a second of the processor's time. Ended with the test. */
export class ServedHere extends Serving {
  #press = (): void => undefined;
  #code: Promise<number> | undefined;

  static async start(args: readonly string[], session = temporaryFolder()): Promise<ServedHere> {
    vi.stubEnv("XDG_RUNTIME_DIR", session);
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = new ServedHere(session);
    const base = { isTTY: false, columns: 80, colours: 0 as const };
    let serves = (): void => undefined;
    const isServing = new Promise<void>((resolve) => (serves = resolve));
    const write = (text: string): void => {
      server.stdout += text;
      if (server.stdout.includes("Try:")) serves();
    };
    server.#code = runCommandLine(["serve", "--port", "0", ...args], {
      stdout: { ...base, write },
      stderr: { ...base, write: (text) => void (server.stderr += text) },
      onInterrupt: (callback) => {
        server.#press = callback;
        return () => undefined;
      },
      exit: (code) => {
        throw new Error(`exit ${code}`);
      },
    });
    onTestFinished(async () => void (await server.end()));
    const ended = server.#code.then((code) => {
      throw new Error(`it ended with ${code}: ${server.stderr}`);
    });
    ended.catch(() => undefined);
    await Promise.race([isServing, ended]);
    return server;
  }

  /** Presses Ctrl-C, and gives how it ended. May be called twice. */
  async end(): Promise<number | undefined> {
    this.#press();
    return this.#code;
  }
}
