import { statSync } from "node:fs";
import { allowHost, repeatable, setValue } from "../options/repeatable.js";
import { Command, Option } from "commander";
import { kindOfFile, peopleSpec, type Scenario } from "../../scenario/index.js";
import { type AccountSource, emptyScenarioText, readyAccountFile, readyScenarioFile } from "../../control/index.js";
import { isDatabase, isRecording, serve, type Served, type ServeOptions } from "../../serve/index.js";
import { threadMinimiser } from "../../study/index.js";
import { onOneLine, roles, redactedUrl, type TokenData } from "../../wire/index.js";
import { UsageError } from "../failures.js";
import { HappeningLines } from "../printing/happening-lines.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { hostNames, port, publicUrl, speed, wholeNumber } from "../options/values.js";
import { paint, writePainted } from "../terminal/paint.js";
import { loadScenario, readScenario, readText } from "../scenario-file.js";
import { deliverySets, deliveryValue } from "../options/delivery-options.js";
import { setOption } from "../options/set-options.js";

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly ownHost: readonly string[];
  readonly token: readonly string[];
  readonly labToken?: string;
  readonly db?: string;
  readonly receiver?: string;
  readonly data: readonly string[];
  readonly empty?: true;
  /** False: `--no-flows`. */
  readonly flows: boolean;
  readonly people?: number;
  readonly locale: readonly string[];
  readonly starts: string;
  readonly seed?: number;
  readonly set: readonly string[];
  readonly delivery: readonly string[];
  readonly speed?: number;
  readonly paused?: true;
  readonly repeat?: true;
  readonly open?: true;
  readonly strict?: true;
  readonly throttle?: number | true;
  readonly allowHost: readonly string[];
  readonly metrics?: number;
  readonly quiet?: true;
}

/** The real service's limit (docs/reference/service-api.md#rate-limits). */
const USUAL_THROTTLE = 2500;

export function serveCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("serve")
    .description(
      "Starts the messaging service: its REST API v2 with virtual handsets behind it, a control API, and an explorer " +
        "page. Without a source it starts with a small example account.",
    )
    .argument("[source]", "a scenario, a recording, an account file (YAML), or an export of an account (JSON)")
    .option("-p, --port <n>", "port; 0: a free one", port, 8080)
    .option("--host <name>", "address to listen at", "127.0.0.1")
    .option("--public-url <url>", "address for clients behind a proxy: https://lab.example/handset", publicUrl)
    .addOption(
      new Option("--own-host <name>", "host name of this server beside localhost and --host; repeatable")
        .argParser(hostNames)
        .default([], "none"),
    )
    .addOption(repeatable("--token <token>", "token of the REST API, or ROLE=TOKEN; repeatable", "generated"))
    .option("--lab-token <token>", "token of the control API (default: that of the database, else generated)")
    .option("--db <file>", "database file; it is continued if it exists (default: in memory)")
    .option("-r, --receiver <url>", "where events go: a URL, `bundled` (the default), or `none`")
    .addOption(repeatable("--data <file>", "add an account file or an export to the account; repeatable"))
    .option("--empty", "start without account data and handsets")
    .option("--no-flows", "leave out the account's flows, campaigns and triggers, which answer texts")
    .option("--people <n>", "add n made-up contacts", wholeNumber)
    .addOption(repeatable("--locale <name>", "locale of the made-up contacts: fr, ar, hi…; repeatable", "en"))
    .option("--starts <time>", "virtual time at the start: now, scenario (its own), or a timestamp", "now")
    .option("--seed <n>", "seed to use instead of the scenario's", wholeNumber)
    .addOption(setValue())
    .addOption(deliveryValue())
    .option("--speed <speed>", "speed of virtual time: 1x, 60x… (default: 1x)", speed)
    .option("--paused", "start with a paused clock; `handset do clock --resume` starts it")
    .option("--repeat", "start the scenario again when its 'lasts' is over")
    .option("--open", "open the console in the browser")
    .option("--strict", "also refuse requests that only real systems refuse, not the reference")
    .option(
      "--throttle [n]",
      `limit requests to n an hour and scope (${USUAL_THROTTLE} as the real service does)`,
      wholeNumber,
    )
    .option("-q, --quiet", "do not print what happens")
    .option("--metrics <port>", "serve metrics to Prometheus at this port; 0: a free one", port)
    .addOption(allowHost())
    .addHelpText("after", examples)
    .action(async (source: string | undefined, flags: Flags) => {
      end(await run(source, flags, io));
    });
}

async function run(source: string | undefined, flags: Flags, io: Io): Promise<ExitCode> {
  if (flags.repeat === true && flags.db !== undefined) {
    throw new UsageError("--repeat begins with a new account each time, so it does not work with --db");
  }
  const begin = await beginning(source, flags, io);
  if (begin === undefined) return 2;
  const opened = begin.recording ?? (begin.scenario === undefined ? flags.db : undefined);
  if (opened !== undefined) io.stderr.write(`opening ${opened} (${sizeOf(opened)})…\n`);
  const served = await serve({
    ...begin,
    host: flags.host,
    port: flags.port,
    ownHosts: flags.ownHost,
    publicUrl: flags.publicUrl,
    tokens: flags.token.map(tokenOf),
    allowHosts: flags.allowHost,
    metrics: flags.metrics === undefined ? undefined : { port: flags.metrics },
    isPaused: flags.paused ?? false,
    isRepeating: flags.repeat ?? false,
    isStrict: flags.strict ?? false,
    minimiser: threadMinimiser,
    leavesOutFlows: !flags.flows,
    labToken: flags.labToken,
    database: flags.db,
    receiver: flags.receiver,
    speed: flags.speed,
    throttle: flags.throttle === undefined ? undefined : flags.throttle === true ? USUAL_THROTTLE : flags.throttle,
  });
  for (const problem of served.problems) io.stderr.write(`warning: ${problem}\n`);
  writePainted(io.stdout, welcome(served, flags, io));
  if (flags.open === true) {
    const why = await openBrowser(consoleLink(served));
    if (why !== undefined) io.stderr.write(`The browser was not opened (${why}): open the console's address above\n`);
  }
  if (served.metrics !== undefined) io.stderr.write(`Metrics at ${served.metrics}\n`);
  const stopLines = flags.quiet === true ? () => undefined : printHappenings(served, io);
  try {
    await Promise.race([interrupted(io), served.ended]);
  } finally {
    stopLines();
    await served.close();
  }
  return 0;
}

/** Length of a window of lines. Wall milliseconds. */
const WINDOW_MS = 1000;

/** Prints the live log (`HappeningLines`). @returns stops printing */
function printHappenings(served: Served, io: Io): () => void {
  const lines = new HappeningLines({
    get startsAtMs() {
      return served.startsAtMs;
    },
    handsetOf: (channel) => served.handsetOf(channel),
    columns: () => io.stdout.columns,
    isNowhere: served.receiver === "none",
    write: (line) => io.stdout.write(`${line}\n`),
  });
  io.stdout.write("\nWhat happens, by the lab's clock (UTC); --quiet leaves it out:\n");
  const stop = served.follow((happening) => lines.take(happening));
  const windows = setInterval(() => lines.endWindow(), WINDOW_MS);
  return () => {
    clearInterval(windows);
    stop();
    lines.endWindow();
  };
}

function interrupted(io: Io): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      io.stderr.write("\nstopping…\n");
      resolve();
    });
  });
}

type Beginning = Pick<ServeOptions, "scenario" | "recording" | "accounts" | "playsFirstHour">;

/** Options of the named source, or of the ready account; none when an existing database is continued. */
async function beginning(source: string | undefined, flags: Flags, io: Io): Promise<Beginning | undefined> {
  if (source === undefined && flags.db !== undefined && isDatabase(flags.db)) {
    const unread = [
      flags.data.length > 0 && "--data",
      flags.people !== undefined && "--people",
      flags.empty && "--empty",
      !flags.flows && "--no-flows",
    ];
    const named = unread.filter((name) => typeof name === "string").join(", ");
    if (named !== "") io.stderr.write(`${flags.db} exists and is continued: ${named} is for a new one\n`);
    return {};
  }
  const added: AccountSource[] = flags.data.map(accountAt);
  if (flags.people !== undefined) {
    added.push({ kind: "people", people: peopleSpec({ count: flags.people, locales: flags.locale }) });
  }
  if (source !== undefined && isRecording(source)) {
    if (!flags.flows) {
      throw new UsageError(
        `--no-flows is for a new account: ${source} is a recording, whose account has its flows already`,
        "archive its triggers, or serve the scenario or the export that it began with",
      );
    }
    return { recording: source, accounts: added };
  }
  if (source !== undefined && flags.empty === true) {
    throw new UsageError(`--empty does not work with a source: leave out --empty or ${source}`);
  }
  const kind = source === undefined ? undefined : kindOfFile(readText(source));
  const options = {
    set: flags.set,
    setOptions: [
      ...(flags.starts === "scenario" ? [] : [setOption("--starts", "starts", flags.starts)]),
      ...deliverySets(flags.delivery),
    ],
    seed: flags.seed,
  };
  const file = kind === "scenario" && source !== undefined ? source : readyScenarioFile;
  const scenario: Scenario | undefined =
    flags.empty === true && kind !== "scenario"
      ? await readScenario({ file: "empty.yaml", text: emptyScenarioText }, io, options)
      : await loadScenario(file, io, options);
  if (scenario === undefined) return undefined;
  if (kind === "scenario") return { scenario, accounts: added };
  if (source !== undefined) return { scenario, accounts: [accountAt(source), ...added] };
  if (flags.empty === true) return { scenario, accounts: added };
  return { scenario, accounts: [accountAt(readyAccountFile), ...added], playsFirstHour: true };
}

function accountAt(file: string): AccountSource {
  return { kind: "text", file, text: readText(file), readsFiles: true };
}

/** `TOKEN` of an administrator, or `ROLE=TOKEN`. */
function tokenOf(text: string): TokenData {
  const [, written = "administrator", token = text] = /^([a-z]+)=(.*)$/i.exec(text) ?? [];
  const role = roles.find((known) => known === written);
  if (role === undefined || !/^[\x21-\x7e]{8,128}$/.test(token)) {
    throw new UsageError(
      `--token takes 8 to 128 characters without spaces, or ROLE=TOKEN with ${roles.join(", ")}; got '${text}'`,
    );
  }
  return { role, token, isActive: true };
}

/** Opening reads and indexes all of it: about a second for 75 MiB. */
function sizeOf(file: string): string {
  return `${(statSync(file).size / 2 ** 20).toLocaleString("en", { maximumFractionDigits: 1 })} MiB`;
}

/** The address of the console, with the token that the page takes out of it. */
function consoleLink({ publicUrl: url, labToken }: Served): string {
  return `${url}/console/#token=${labToken}`;
}

/** Address, tokens, and a first request to try. */
function welcome(served: Served, flags: Flags, io: Io): string {
  const { bold, dim } = paint(io.stdout);
  const { publicUrl: url, token, labToken, receiver, isBundled } = served;
  const rows: [string, string][] = [
    ...(url === served.url ? [] : [["listens at", served.url] satisfies [string, string]]),
    ["REST API", `${url}/api/v2/`],
    ["token", token],
    ["events go to", isBundled ? "the bundled receiver" : redactedUrl(receiver)],
    ["handsets", `${served.handsets}, people ${served.people}`],
    ["database", flags.db ?? "in memory (keep it with --db FILE)"],
    ["control API", `${url}/lab/`],
    ["its token", labToken],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    bold(`The messaging service is at ${url}`) + dim("  (Ctrl-C ends it)"),
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${onOneLine(value)}`),
    "",
    "The console:",
    `  ${bold(consoleLink(served))}`,
    "",
    "The explorer, with the token:",
    `  ${url}/api/v2/explorer/#token=${token}`,
    "",
    "Try:",
    `  curl -H "Authorization: Token ${token}" \\`,
    `    ${url}/api/v2/contacts.json`,
    "  handset do text --help      (in another terminal: a person sends a text)",
    "",
  ].join("\n");
}

const examples = `
Examples:
  handset serve                                       a small ready account
  handset serve --no-flows                            without flows
  handset serve --db account.db --receiver http://127.0.0.1:9000/events
  handset serve scenarios/power-cut.yaml --speed 60x
  handset serve recordings/first-day-1.db             a run, as a service
  handset serve export.json --people 5000 --locale fr --strict --throttle`;

/**
 * Opens an address in the user's browser, where there is one.
 *
 * @returns why it was not opened, as a clause; undefined: the browser has been asked
 */
async function openBrowser(url: string): Promise<string | undefined> {
  const { env, platform } = process;
  const hasScreen = platform === "win32" || platform === "darwin" || Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
  if (!hasScreen) return "there is no screen here";
  try {
    // Loaded on demand: other commands do not need it.
    const { default: open } = await import("open");
    const browser = await open(url);
    // An error that comes later, such as a missing xdg-open, must not end the lab: the address has been printed.
    browser.once("error", () => undefined);
    browser.unref();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
