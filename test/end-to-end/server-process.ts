import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { Client } from "./served.js";
import { newFolder } from "./support.js";

/** The command as it is installed; `npm test` builds it first. */
export const command = "dist/cli/main.js";

/** A `handset serve` of its own, ended with the test. */
export class ServerProcess {
  readonly child: ChildProcess;
  /** Where it says that it runs. */
  readonly session: string;
  stdout = "";
  stderr = "";

  private constructor(child: ChildProcess, session: string) {
    this.child = child;
    this.session = session;
    child.stdout?.on("data", (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /**
   * Starts it on a free port, and waits until it says that it serves.
   *
   * @param through - a command that starts it
   */
  static async start(
    args: readonly string[],
    session = newFolder(),
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

  /** A row of what it said at its start. */
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

  /** Sends a signal, and gives how it ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exit = once(this.child, "exit") as Promise<[number | null]>;
    this.child.kill(signal);
    const [code] = await exit;
    return code;
  }
}
