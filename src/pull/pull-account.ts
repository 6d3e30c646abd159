import { existsSync, mkdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { LabError, type OnProgress, replaceFile } from "../base/index.js";
import { readAccount } from "../control/index.js";
import { pseudonymKey } from "../field/index.js";
import { formatDiagnostics } from "../scenario/index.js";
import { pseudonymousAccount } from "./account-pseudonyms.js";
import { accountOfRecords, type PulledAccount } from "./account-of-records.js";
import { accountTexts, type AccountFileText } from "./account-text.js";
import type { LeftOut } from "./left-out.js";
import { type ListName, listNames, PullState, type Refusal } from "./pull-state.js";
import { readService } from "./read-service.js";
import { ServiceClient } from "./service-client.js";
import { isLoopback, serviceUrl } from "./service-url.js";

/** What is pulled, and how. */
export interface PullOptions {
  /** Address of the service, with or without `/api/v2`. */
  readonly url: string;
  readonly token: string;
  /** Path of the account file. */
  readonly output: string;
  /** Replaces files that are there. */
  readonly overwrite?: boolean | undefined;
  /** Default: on. */
  readonly pseudonyms?: "on" | "off" | undefined;
  /** File of the pseudonyms' key, created if missing; default: a random key that is not kept. */
  readonly key?: string | undefined;
  /** Keys of text fields whose values stay. */
  readonly keepFields?: readonly string[] | undefined;
  /** Requests per second. Default: 5; no bound for a service on this machine. */
  readonly rate?: number | undefined;
  /** Milliseconds until an answer counts as missing. Default: 60 s. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a request waits for the service's throttle. Default: 10 min. */
  readonly maxWaitMs?: number | undefined;
  /** Characters of contacts in one file, at most; more are in further files. Default: 6 MiB. */
  readonly contactsLengthMax?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Waits; tests have another one. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
}

/** What a pull did. */
export interface PullSummary {
  readonly service: string;
  /** Name of the account. */
  readonly account: string;
  /** Paths of the written files, the account file first. */
  readonly files: readonly string[];
  readonly pseudonyms: "on" | "off";
  /** Whether it continued an earlier pull. */
  readonly resumed: boolean;
  readonly requests: number;
  /** Milliseconds that it waited because the service throttled. */
  readonly throttledMs: number;
  /** Records read and entries written, by resource. */
  readonly resources: readonly ResourceCount[];
  /** Resources that the service refused. */
  readonly refused: readonly Refusal[];
  /** What was read and is not in the file, or is otherwise, by reason. */
  readonly leftOut: readonly LeftOut[];
  /** What the API does not give, in sentences. */
  readonly notInApi: readonly string[];
  /** Mistakes that `handset check` finds in the written file; none is expected. */
  readonly problems: string;
}

/** Records of a resource that were read, and entries of the account file that they became. */
export interface ResourceCount {
  readonly resource: string;
  readonly read: number;
  readonly written: number;
}

/** What no version of the API gives, and what an account file has no place for. */
const notInApi: readonly string[] = [
  "triggers by schedule, and archived triggers: definitions.json leaves them out",
  "times when contacts were created, changed and last seen: an account file has no place for them",
  "messages, runs of flows, broadcasts and deleted contacts: not asked for",
  "shapes of boundaries: not asked for",
];

/**
 * Reads an account of a service by its REST API, and writes it as an account file, with flows as JSON files beside it. What
 * is read is kept in `OUTPUT.pull` until the files are written: after an interruption or an error the same call
 * continues there.
 *
 * @throws LabError
 */
export async function pullAccount(options: PullOptions): Promise<PullSummary> {
  const { output, token, onProgress } = options;
  const service = serviceUrl(options.url);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new LabError("bad-options", "the token is not one word of printable ASCII characters");
  if (existsSync(output) && options.overwrite !== true) {
    throw new LabError("bad-options", `${output} is there already`, {
      hint: "choose another name, or replace it with --overwrite",
    });
  }
  const key = options.pseudonyms === "off" ? undefined : pseudonymKey(options.key);
  const report = (operation: string): void => onProgress?.({ operation, done: 0, total: 0 });
  const client = new ServiceClient({
    service,
    token,
    rate: options.rate ?? (isLoopback(service) ? Infinity : 5),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxWaitMs: options.maxWaitMs ?? 600_000,
    signal: options.signal,
    wait: options.wait,
    onWait: report,
  });
  const state = await PullState.open(`${output}.pull`, { service, nowMs: Date.now() });
  try {
    await readService(client, state, { onRead: report });
  } catch (error) {
    throw keptIn(state, error, options.signal);
  }
  report("writing the account");
  const pulled = accountOfRecords(state);
  const account =
    key === undefined ? pulled : pseudonymousAccount(pulled, { key, keep: new Set(options.keepFields ?? []) });
  const resources = listNames.map((name) => ({
    resource: name,
    read: state.lists.get(name)?.length ?? 0,
    written: writtenOf(name, pulled),
  }));
  const triggers = { resource: "triggers", read: countOf(state, "triggers"), written: pulled.data.triggers.length };
  const refused = [...state.refused];
  const summary = {
    service,
    account: account.data.organisation?.name ?? "",
    pseudonyms: key === undefined ? ("off" as const) : ("on" as const),
    resumed: state.isResumed,
    requests: client.requests,
    throttledMs: client.throttledMs,
    resources: [...resources, triggers],
    refused,
    leftOut: [...pulled.leftOut, ...unknownFields(options.keepFields ?? [], pulled)],
    notInApi,
  };
  const texts = accountTexts(account, output, {
    comments: commentsOf(summary, state.startedAt),
    contactsLengthMax: options.contactsLengthMax,
  });
  const there = options.overwrite === true ? undefined : texts.find(({ path }) => existsSync(path));
  if (there !== undefined) {
    throw new LabError("bad-options", `${relative(".", there.path)} is there already`, {
      hint: `replace it with --overwrite; nothing is read again\n  ${keptText(state)}`,
    });
  }
  report("checking the account file");
  const problems = await problemsOf(texts, output);
  for (const { path, text } of texts) writeText(path, text);
  state.remove();
  return { ...summary, files: filesOf(texts), problems };
}

function keptText({ path }: PullState): string {
  return `${path} has what was read: the same command continues there`;
}

/** The error that ends a pull, with what the user does next. */
function keptIn(state: PullState, error: unknown, signal: AbortSignal | undefined): unknown {
  const kept = keptText(state);
  if (signal?.aborted === true) return new LabError("no-service", "interrupted", { hint: kept });
  if (!(error instanceof LabError) || error.code === "bad-options") {
    if (!state.hasOrg) state.remove();
    return error;
  }
  if (!state.hasOrg) {
    state.remove();
    return error;
  }
  return new LabError(error.code, error.message, {
    hint: error.hint === undefined ? kept : `${error.hint}\n  ${kept}`,
    cause: error.cause,
  });
}

/** Paths from here, the account file first, then what adds to it. */
function filesOf(texts: readonly AccountFileText[]): string[] {
  const paths = texts.map(({ path }) => relative(".", path));
  const isAccount = (path: string): boolean => path.endsWith(".yaml");
  return [
    ...paths.slice(-1),
    ...paths.slice(0, -1).filter(isAccount),
    ...paths.slice(0, -1).filter((one) => !isAccount(one)),
  ];
}

function unknownFields(keys: readonly string[], { data }: PulledAccount): LeftOut[] {
  return keys
    .filter((key) => !data.fields.some((field) => field.key === key))
    .map((key) => ({ what: "fields to keep", why: "the account has no such field", count: 1, of: [key] }));
}

function countOf(state: PullState, part: string): number {
  const all = state.definitions.flatMap((one) => (Array.isArray(one[part]) ? (one[part] as unknown[]) : []));
  return new Set(all.map((one) => JSON.stringify(one))).size;
}

function writtenOf(name: ListName, { data, channels }: PulledAccount): number {
  switch (name) {
    case "boundaries": {
      const count = (parts: typeof data.boundaries): number =>
        parts.reduce((sum, { parts: inner }) => sum + 1 + count(inner), 0);
      return count(data.boundaries);
    }
    case "channels":
      return channels.length;
    case "resthook_subscribers":
      return data.resthooks.reduce((sum, { subscribers }) => sum + subscribers.length, 0);
    case "campaign_events":
      return data.campaigns.reduce((sum, { events }) => sum + events.length, 0);
    case "globals":
      return Object.keys(data.globals ?? {}).length;
    default:
      return data[name].length;
  }
}

function commentsOf(
  { service, pseudonyms, refused }: Pick<PullSummary, "service" | "pseudonyms" | "refused">,
  startedAt: string,
): string[] {
  const site = new URL(service);
  return [
    `Pulled from ${site.host} on ${startedAt.slice(0, 10)} by handset account pull.`,
    pseudonyms === "on"
      ? "Names, addresses, UUIDs and text values of contacts are pseudonyms; texts of flows and campaigns are not."
      : "Without pseudonyms: this names real people.",
    ...notInApi.map((one) => `Not here: ${one}.`),
    ...refused.map(({ resource, status }) => `Not here: ${resource}: the service answered ${status}.`),
  ];
}

/** Diagnostics of the account file, as text; empty: it is sound. */
async function problemsOf(texts: readonly AccountFileText[], output: string): Promise<string> {
  const byPath = new Map(texts.map(({ path, text }) => [path, text]));
  const found = [];
  for (const { path, text } of texts.filter((one) => one.path.endsWith(".yaml") || one.path === resolve(output))) {
    const readFile = (name: string): string => {
      const content = byPath.get(resolve(dirname(path), name));
      if (content === undefined) throw new Error("not written");
      return content;
    };
    const { account, diagnostics } = await readAccount(text, { file: relative(".", path), readFile });
    if (account === undefined) found.push(formatDiagnostics(diagnostics.slice(0, 10), text));
  }
  return found.join("");
}

function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, text);
  } catch (error) {
    throw new LabError("not-written", `${relative(".", path)} cannot be written`, { cause: error });
  }
}
