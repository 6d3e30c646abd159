import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import type { CheckAnswer } from "../../expect/index.js";
import type { CheckSpec } from "../../scenario/index.js";

/** What the questions of checks need of the run. */
export interface CheckSurroundings {
  /** The receiver's URL: paths of checks are at its address. Null: there is none. */
  readonly receiver: string | null;
  /** The recording's file; null: there is none. */
  readonly recording: string | null;
  /** Whether a request may be sent to a URL. */
  readonly isAllowed: (url: string) => boolean;
  /** Aborts the question. */
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a body, and of each of a command's streams, that are read. */
const BODY_MAX = 16 * 2 ** 20;
const OUTPUT_MAX = 64 * 2 ** 10;

/** Asks what a check asks, once, in the real world. It does not throw: what went wrong is the answer. */
export async function askCheck(
  { ask, withinMs }: Pick<CheckSpec, "ask" | "withinMs">,
  surroundings: CheckSurroundings,
): Promise<CheckAnswer> {
  const timeout = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([timeout, ...(surroundings.signal === undefined ? [] : [surroundings.signal])]);
  const late = `it took longer than ${withinMs / 1000} s`;
  const why = (error: unknown): CheckAnswer => ({
    kind: "none",
    why: timeout.aborted ? late : signal.aborted ? "the run was stopped" : reasonOf(error),
  });
  try {
    return ask.kind === "http"
      ? await request(ask, surroundings, signal)
      : await runCommand(ask.command, surroundings, signal);
  } catch (error) {
    return why(error);
  }
}

async function request(
  { method, url: written }: Extract<CheckSpec["ask"], { kind: "http" }>,
  { receiver, isAllowed }: CheckSurroundings,
  signal: AbortSignal,
): Promise<CheckAnswer> {
  if (receiver === null && written.startsWith("/")) {
    return { kind: "none", why: `there is no receiver, at whose address ${written} would be: write the whole URL` };
  }
  const url = new URL(written, receiver ?? undefined);
  if (!isAllowed(url.href)) {
    return {
      kind: "none",
      why: `${url.hostname} is not this machine and was not asked: --allow-host ${url.hostname} allows it`,
    };
  }
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const sent = send(url, { method, signal, agent: false, headers: { "user-agent": "handset-lab" } });
  sent.end();
  const [response] = (await once(sent, "response", { signal })) as [IncomingMessage];
  return { kind: "http", status: response.statusCode ?? 0, body: await bodyOf(response) };
}

/** The body as text, its beginning if it is very long. */
async function bodyOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > BODY_MAX) break;
  }
  return text;
}

async function runCommand(
  command: string,
  { receiver, recording }: CheckSurroundings,
  signal: AbortSignal,
): Promise<CheckAnswer> {
  const env = {
    ...process.env,
    ...(recording !== null && { HANDSET_RECORDING: recording }),
    ...(receiver !== null && { HANDSET_RECEIVER: receiver }),
  };
  // A process group of its own, so that its children end with it.
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  const [stdout, stderr] = [headOf(child.stdout), headOf(child.stderr)];
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  process.once("exit", endGroup);
  try {
    const closed = once(child, "close", { signal }) as Promise<[number | null, string | null]>;
    const [exitCode, endedBy] = await closed;
    return { kind: "command", exitCode, signal: endedBy, stdout: stdout(), stderr: stderr() };
  } finally {
    process.off("exit", endGroup);
    endGroup();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Reads the beginning of a stream. @returns gives what was read so far */
function headOf(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    if (bytes < OUTPUT_MAX) chunks.push(chunk);
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}

/** Why a request or a command failed: a code such as ECONNREFUSED, else the error's words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
