import { spawn } from "node:child_process";
import { once } from "node:events";
import { LabError } from "../base/index.js";
import { postOnce } from "../http/index.js";
import { refuseUrl } from "../lab/index.js";

/** Wall milliseconds that a reset may take. */
const RESET_TIMEOUT_MS = 30_000;

/** How a reset is sent. */
interface ResetOptions {
  readonly isAllowed: (url: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Refuses a reset that names a method without a URL. @throws LabError `bad-options` */
export function requireReset(text: string, receiver: string): void {
  if (resetRequest(text, receiver) !== "not-a-url") return;
  throw new LabError("bad-options", `--reset '${text}' has no URL after the method`, {
    hint: 'write --reset "POST http://127.0.0.1:9000/reset", "POST /reset", or a command',
  });
}

/** The request of a reset; undefined: it is a command. */
function resetRequest(
  text: string,
  receiver: string,
): { readonly method: string; readonly url: string } | "not-a-url" | undefined {
  const [, method, written] = /^\s*(GET|POST|PUT|DELETE|PATCH)\s+(\S+)\s*$/.exec(text) ?? [];
  if (method === undefined || written === undefined) {
    if (/^\s*https?:\/\/\S+\s*$/.test(text)) return { method: "POST", url: text.trim() };
    return /^\s*(GET|POST|PUT|DELETE|PATCH)\s*$/.test(text) ? "not-a-url" : undefined;
  }
  return URL.canParse(written, receiver) ? { method, url: new URL(written, receiver).href } : "not-a-url";
}

/**
 * Resets a receiver that runs: sends `POST URL` or `POST /path`, or runs a shell command, which finds the URL in `HANDSET_RECEIVER`.
 *
 * @param receiver - its URL, to which a path is relative
 * @throws LabError `no-receiver`, `command-failed`, `host-not-allowed`
 */
export async function resetReceiver(
  text: string,
  receiver: string,
  { isAllowed, signal }: ResetOptions,
): Promise<void> {
  const request = resetRequest(text, receiver);
  if (request === undefined) return resetByCommand(text, receiver, signal);
  if (request === "not-a-url" || !isAllowed(request.url))
    return refuseUrl(request === "not-a-url" ? text : request.url);
  const { status, error } = await postOnce({ ...request, body: "", timeoutMs: RESET_TIMEOUT_MS, isAllowed });
  if (status !== null && status >= 200 && status < 400) return;
  throw new LabError("no-receiver", `--reset ${request.method} ${request.url} answered ${status ?? error}`, {
    hint: "it must answer 2xx, and leave the receiver as after its start",
  });
}

async function resetByCommand(command: string, receiver: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(command, {
    shell: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HANDSET_RECEIVER: receiver },
    timeout: RESET_TIMEOUT_MS,
    ...(signal !== undefined && { signal }),
  });
  let told = "";
  child.stderr.on("data", (chunk: Buffer) => (told = (told + chunk.toString()).slice(-1000)));
  const [code, signalName] = (await once(child, "close").catch(() => [null, "stopped"])) as [
    number | null,
    string | null,
  ];
  if (code === 0 || signal?.aborted === true) return;
  const why = lastLine(told);
  throw new LabError(
    "command-failed",
    `--reset '${command}' ended with ${code ?? signalName}${why === "" ? "" : `: ${why}`}`,
    {
      hint: "it must exit with 0 when the receiver is as after its start",
    },
  );
}

/** The last line of an output that says something. */
export function lastLine(text: string): string {
  return (
    text
      .trim()
      .split("\n")
      .findLast((line) => line.trim() !== "") ?? ""
  )
    .trim()
    .slice(0, 200);
}
