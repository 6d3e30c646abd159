import type { ControlParts } from "../control-parts.js";
import { refusal } from "../refusal.js";

/**
 * Reads the request that resets a receiver: `/reset`, `POST /reset`, or a whole URL. A command, which `--reset` accepts in a
 * terminal, is refused: the page of a lab starts no program.
 *
 * @returns as `--reset` spells it; undefined: nothing was given
 * @throws ControlRefusal 400
 */
export function readReset(
  written: string,
  receiver: string,
  { isAllowed, minimiser }: Pick<ControlParts, "isAllowed" | "minimiser">,
): string | undefined {
  if (written.trim() === "") return undefined;
  const [, method = "POST", where] =
    /^\s*(?:(GET|POST|PUT|DELETE|PATCH)\s+)?(\/\S*|https?:\/\/\S+)\s*$/.exec(written) ?? [];
  const url = where === undefined || !URL.canParse(where, receiver) ? undefined : new URL(where, receiver).href;
  if (url === undefined) {
    throw refusal(
      "reset",
      `'${written.trim()}' is no request: write POST /reset, or a URL. A command works in a terminal.`,
    );
  }
  if (!isAllowed(url)) throw refusal("reset", `${url} may not be sent to: start the lab with --allow-host.`);
  if (minimiser === undefined) throw refusal("reset", "This server was started without it.", 409);
  return `${method} ${url}`;
}
