import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveHttp } from "../support/server.js";
import { temporaryFolder } from "../support/folder.js";

/** Fields of one event of a planted day. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** One line of the log. */
export interface Line {
  readonly at: string;
  readonly body: string;
  readonly with_previous?: true;
  readonly status?: number;
}

const words = ["hello", "balance", "yes", "no", "report 5", "report 12", "good morning", "thanks", "help", "menu"];
const startsAtMs = Date.UTC(2026, 2, 4, 6);

/** A day of ordinary events of many people, with others planted at shares of its length. */
export function plantedDay(
  count: number,
  planted: readonly (readonly [
    share: number,
    fields: Fields,
    more?: { readonly with_previous?: true; readonly status?: number },
  ])[],
): Line[] {
  let state = 12_345;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const places = new Map(
    planted.map(([share, fields, more], index) => [Math.floor(share * count) + index, { fields, more }]),
  );
  const sent: string[] = [];
  let atMs = startsAtMs;
  return Array.from({ length: count }, (_, index) => {
    atMs += 500 + below(9000);
    const at = new Date(atMs).toISOString();
    const person = below(Math.ceil(count / 5));
    const kind = below(10);
    const place = places.get(index);
    const isDelivered = kind >= 8 && sent.length > 0 && place === undefined;
    const own = isDelivered ? (sent.shift() ?? "") : String(5000 + index);
    if ((kind === 6 || kind === 7) && place === undefined) sent.push(own);
    const ordinary = {
      event: isDelivered ? "mt_dlvd" : kind >= 6 && kind < 8 ? "mt_sent" : "mo_sms",
      relayer: String(1 + (person % 8)),
      relayer_phone: `+25078800100${person % 8}`,
      sms: own,
      phone: `+2507881${String(10_000 + person)}`,
      text: words[below(words.length)] ?? "",
      time: at,
    };
    const fields = Object.entries({ ...ordinary, ...place?.fields }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    return { at, body: new URLSearchParams(fields).toString(), ...place?.more };
  });
}

/** Writes a log. @returns its path */
export function writeDay(lines: readonly Line[]): string {
  const path = join(temporaryFolder(), "day.jsonl");
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

/** What a planted bug does with an event. `state` is empty after a reset; `open` are the phones that wait for an answer. */
export type Bug = (
  fields: Fields,
  state: Map<string, unknown>,
  open: readonly string[],
) => "fails" | "hangs" | "closes" | { readonly reply: string } | { readonly status: number } | undefined;

/** The person whose texts take a while. */
export const TOGETHER = "+250788999000";

/** A receiver with a bug. `POST /reset` forgets everything; `GET /state` has its state. @param forget - at each reset */
export async function buggyReceiver(
  bug: Bug,
  forget: () => void = () => undefined,
): Promise<{ readonly url: string; readonly requests: () => number }> {
  let state = new Map<string, unknown>();
  let open: string[] = [];
  let requests = 0;
  const { url } = await serveHttp((request, response) => {
    if (request.url === "/reset") {
      state = new Map();
      forget();
      response.end();
      return;
    }
    if (request.url === "/state") {
      response.end(JSON.stringify(Object.fromEntries(state)));
      return;
    }
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      requests++;
      const fields: Fields = Object.fromEntries(new URLSearchParams(body));
      const phone = fields["phone"] ?? "";
      open.push(phone);
      const answer = (): void => {
        const does = bug(fields, state, open);
        open = open.filter((one, index) => index !== open.indexOf(phone) || one !== phone);
        response.setHeader("content-type", "application/json");
        if (does === "hangs") return;
        if (does === "closes") request.socket.destroy();
        else if (does === "fails")
          response.writeHead(500).end(JSON.stringify({ error: `cannot handle '${fields["text"]}'` }));
        else if (does === undefined) response.end("{}");
        else if ("status" in does) response.writeHead(does.status).end();
        else response.end(JSON.stringify({ phone: [phone], text: does.reply }));
      };
      // An application that waits for its database meanwhile gets what came at the same moment.
      if (phone === TOGETHER) setTimeout(answer, 20);
      else answer();
    });
  });
  return { url, requests: () => requests };
}
