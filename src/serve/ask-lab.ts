import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { LabError } from "../base/index.js";
import { lookupFor } from "../http/index.js";
import { type LabAnnouncement, runningLabs } from "./announcements.js";

/** Address of a served lab, and the token of its control API. */
export interface LabAddress {
  /** With scheme and the proxy's path prefix, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** The announcement file of a lab that the user did not name. */
  readonly file?: string;
}

/** A request to a lab's control API. */
export interface RemoteRequest {
  readonly method: "GET" | "POST";
  /** Path after `/lab`, such as `/do/text`. */
  readonly path: string;
  /** An object is sent as JSON, a text as YAML. */
  readonly body?: object | string;
}

/** Largest answer; an endless answer would fill the memory. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/**
 * Finds the lab for requests: the named one, else the only lab that this user serves on this machine. The default token
 * is that of the lab that this user serves at the address.
 *
 * @throws LabError `no-lab` when none is served here; `bad-options` when several are, when `url` is not an http(s)
 *   address, or when its token is unknown
 */
export function findLab(named: { readonly url?: string | undefined; readonly token?: string | undefined }): LabAddress {
  const running = runningLabs();
  const url = named.url === undefined ? undefined : addressOf(named.url);
  if (url === undefined) {
    const [only, ...others] = running;
    if (only === undefined) {
      throw new LabError("no-lab", "no lab is served on this machine by this user", {
        hint: "start one with 'handset serve', or name it with --lab URL",
      });
    }
    if (others.length > 0) throw ambiguous(running);
    return { url: only.url, token: named.token ?? only.token, file: only.file };
  }
  const token = named.token ?? running.find((one) => isSame(one.url, url))?.token;
  if (token === undefined) {
    throw new LabError("bad-options", `the token of the lab at ${url} is not known here`, {
      hint: "give it with --token, or in HANDSET_LAB_TOKEN; the lab has printed it at its start",
    });
  }
  return { url, token };
}

/** Most labs that the error message lists. */
const MAX_LISTED = 20;

function ambiguous(running: readonly LabAnnouncement[]): LabError {
  const lines = running.slice(0, MAX_LISTED).map(({ url, name, pid, startedAt }) => {
    const shownName = name.replaceAll(/\s+/g, " ");
    return `${url}  ${shownName}${name === "" ? "" : ", "}since ${startedAt}, process ${pid}`;
  });
  const more = running.length - lines.length;
  return new LabError("bad-options", `${running.length} labs are served on this machine: name one with --lab URL`, {
    hint: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n  "),
  });
}

/**
 * Sends a request to a lab's control API. There is no timeout, because a step may play days.
 *
 * @returns the answer's JSON
 * @throws LabError `lab-refused` with the lab's reasons; `no-lab` when there is no answer, or the answer is not from a
 *   lab
 */
export async function askLab(lab: LabAddress, { method, path, body }: RemoteRequest): Promise<unknown> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const { status, content } = await exchange(lab, {
    method,
    path,
    text,
    type: typeof body === "object" ? "application/json" : "application/yaml",
  });
  const answer = parse(content);
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  if (status === 401 || status === 403) {
    throw new LabError("lab-refused", `the lab at ${lab.url} refuses this token`, {
      hint: "the lab has printed its token at its start; give it with --token, or in HANDSET_LAB_TOKEN",
    });
  }
  const isRefusal = status >= 400 && status < 500;
  const [first, ...more] = isRefusal ? reasonsIn(answer) : [];
  if (first !== undefined) {
    throw new LabError("lab-refused", [first, ...more].join("\n  "), { hint: `refused by the lab at ${lab.url}` });
  }
  throw new LabError("no-lab", `${lab.url} does not answer like a lab: ${status} at ${method} /lab${path}`, {
    hint: isRefusal ? "is it a lab of this version, and is --lab its address?" : "see what the lab has printed",
  });
}

function exchange(
  lab: LabAddress,
  options: { readonly method: string; readonly path: string; readonly text: string | undefined; readonly type: string },
): Promise<{ status: number; content: string }> {
  const { method, path, text, type } = options;
  const url = new URL(`${lab.url}/lab${path}`);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(unreachable(lab, error));
    const headers = {
      authorization: `Token ${lab.token}`,
      accept: "application/json",
      ...(text !== undefined && { "content-type": type, "content-length": Buffer.byteLength(text) }),
    };
    request(url, { method, headers, agent: false, lookup: lookupFor(url.hostname) }, (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_ANSWER_BYTES) response.destroy(new Error("its answer does not end"));
        else parts.push(part);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, content: Buffer.concat(parts).toString() }));
      response.on("error", fail);
    })
      .on("error", fail)
      .end(text);
  });
}

function unreachable({ url, file }: LabAddress, cause: NodeJS.ErrnoException): LabError {
  return new LabError("no-lab", `the lab at ${url} cannot be reached (${cause.code ?? cause.message})`, {
    hint:
      file === undefined
        ? "is 'handset serve' running there? --lab takes the address that it has printed"
        : `it was found by ${file}: if that lab is gone, remove the file`,
    cause,
  });
}

/**
 * The base URL of a lab from any of its addresses, such as the console's; `http://` is optional.
 *
 * @throws LabError `bad-options`
 */
function addressOf(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) {
    const { origin, pathname } = new URL(url);
    return origin + pathname.replace(/\/(?:api|console|lab)(?:\/.*)?$/, "").replace(/\/+$/, "");
  }
  throw new LabError("bad-options", `'${text}' is not the address of a lab`, {
    hint: "write it as http://127.0.0.1:8000",
  });
}

function isSame(a: string, b: string): boolean {
  const plain = (url: string): string => new URL(url).origin.replace("//localhost", "//127.0.0.1");
  return plain(a) === plain(b);
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** The messages of a refusal, `{ "detail": "…" }` or `{ "argument": ["…"] }`, each with its argument's name. */
function reasonsIn(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  return Object.entries(answer).flatMap(([field, told]: [string, unknown]) => {
    const sentences = (Array.isArray(told) ? told : [told]).filter((one): one is string => typeof one === "string");
    const isAbout = field !== "detail" && field !== "non_field_errors";
    return sentences.map((one) => (isAbout && !one.includes(`'${field}'`) ? `${field}: ${one}` : one));
  });
}
