import { Command, Option } from "commander";
import { replaceFile } from "../../base/index.js";
import {
  auditFamilies,
  auditMutants,
  type AuditOptions,
  auditReceiver,
  type AuditResult,
  renderAudit,
  renderAuditHtml,
  renderAuditJunit,
  renderMutants,
} from "../../study/index.js";
import { wrap } from "../../report/index.js";
import { type Spelling, spellings } from "../../wire/index.js";
import { UsageError } from "../failures.js";
import { defined } from "../options/defined.js";
import { allowHost, repeatable } from "../options/repeatable.js";
import { several } from "../options/several.js";
import { duration, port, wholeNumber } from "../options/values.js";
import { readText } from "../scenario-file.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writePainted } from "../terminal/paint.js";

interface Flags {
  readonly effects?: string;
  readonly apiPort?: number;
  readonly apiToken?: string;
  readonly data: readonly string[];
  readonly reset?: string;
  readonly spelling?: Spelling;
  readonly only?: readonly string[];
  readonly text: readonly string[];
  readonly budget: number;
  readonly timeLimit?: number;
  readonly timeout?: number;
  readonly json?: true;
  readonly junit?: string;
  readonly html?: string;
  readonly mutants?: true;
  readonly list?: true;
  readonly allowHost: readonly string[];
}

export function auditCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("audit")
    .description(
      "Plays trials of the contract at a receiver, with no test written, and prints a report card. A finding is something " +
        "that a right receiver could not have done. Exit codes: 0 no severe finding, 1 a finding is high.",
    )
    .argument("[url]", "address at which the receiver takes events")
    .argument("[command...]", "after --: starts your receiver for the audit; PORT has the port")
    .option("--effects <how>", 'how effects of an event are seen: api, replies, or "GET URL" of a page of JSON')
    .option("--api-port <port>", "--effects api: port of the REST API (default with a command: a free one)", port)
    .option("--api-token <token>", "--effects api: its token (default with a command: generated)")
    .addOption(repeatable("--data <file>", "--effects api: account file with flows, groups and fields; repeatable"))
    .option("--reset <how>", '"POST URL" or a command that empties the receiver before the audit')
    .addOption(
      new Option("--spelling <name>", "spelling of the events (default: the first that it accepts)").choices(spellings),
    )
    .addOption(repeatable("--text <word>", "a word on which the receiver acts, such as JOIN"))
    .addOption(several("--only <ids>", "trials to play, separated by commas"))
    .option("--budget <n>", "number of requests at most", wholeNumber, 500)
    .option("--time-limit <duration>", "time at most (default: 60s)", duration)
    .option("--timeout <duration>", "time for an answer (default: 5s, the service's)", duration)
    .option("--json", "print the result as one JSON object")
    .option("--junit <file>", "write the result as JUnit XML")
    .option("--html <file>", "write the report card as an HTML page")
    .option("--mutants", "audit the bundled receiver with each of its built-in bugs, and print how many are found")
    .option("--list", "list the trials, and end")
    .addOption(allowHost())
    .addHelpText("after", examples)
    .action(async (url: string | undefined, command: string[], flags: Flags) => {
      if (flags.list === true) return listTrials(flags, io);
      if (flags.mutants === true) return end(await auditOurMutants(flags, io));
      if (url === undefined)
        throw new UsageError("give the address of a receiver: handset audit http://127.0.0.1:8080/");
      end(await audit(url, command, flags, io));
    });
}

const examples = `
Examples:
  handset audit http://127.0.0.1:8080/events
  handset audit http://127.0.0.1:8080/events --effects "GET http://127.0.0.1:8080/effects"
  handset audit http://127.0.0.1:8080/events --effects api -- npm start
  handset audit http://127.0.0.1:8080/events --only text-plus,duplicate-parallel --effects replies
  handset audit --mutants`;

async function audit(url: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => controller.abort());
  try {
    const result = await showingProgress(io, (onProgress) =>
      auditReceiver(url, {
        budget: flags.budget,
        texts: flags.text,
        command,
        allowHosts: flags.allowHost,
        signal: controller.signal,
        onTrial: (_, done, total) => onProgress({ operation: "playing trials", done, total }),
        ...defined({
          effects: flags.effects,
          api: apiOf(flags),
          reset: flags.reset,
          spelling: flags.spelling,
          only: flags.only,
          timeLimitMs: flags.timeLimit,
          timeoutMs: flags.timeout,
        }),
      }),
    );
    writeFiles(result, flags);
    if (flags.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
    else writePainted(io.stdout, renderAudit(result, { colour: io.stdout.colours > 0, width: io.stdout.columns }));
    return result.findings.some(({ severity }) => severity === "high") ? 1 : 0;
  } finally {
    stopListening();
  }
}

/** The emulated service as the options say; undefined: none of them is given. */
function apiOf({ effects, apiPort, apiToken, data }: Flags): AuditOptions["api"] {
  if (effects !== "api" && apiPort === undefined && apiToken === undefined && data.length === 0) return undefined;
  return {
    accounts: data.map((file) => ({ kind: "text", file, text: readText(file), readsFiles: true })),
    ...defined({ port: apiPort, token: apiToken }),
  };
}

function writeFiles(result: AuditResult, { junit, html }: Flags): void {
  if (junit !== undefined) replaceFile(junit, renderAuditJunit(result), { mode: 0o666 });
  if (html !== undefined) replaceFile(html, renderAuditHtml(result), { mode: 0o666 });
}

async function auditOurMutants(flags: Flags, io: Io): Promise<ExitCode> {
  const result = await showingProgress(io, (onProgress) =>
    auditMutants({ onMutant: (done, total) => onProgress({ operation: "auditing built-in bugs", done, total }) }),
  );
  if (flags.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
  else writePainted(io.stdout, renderMutants(result, { colour: io.stdout.colours > 0, width: io.stdout.columns }));
  return result.score >= LEAST_SCORE && result.falseFindings.length === 0 ? 0 : 1;
}

/** The least share of built-in bugs that the audit must find. */
const LEAST_SCORE = 0.95;

function listTrials({ json }: Flags, io: Io): void {
  if (json === true) {
    const all = auditFamilies.flatMap(({ name, trials }) =>
      trials.map(({ id, title, severity, why, field, about }) => ({
        id,
        family: name,
        title,
        severity,
        why,
        field,
        about,
      })),
    );
    io.stdout.write(`${JSON.stringify(all)}\n`);
    return;
  }
  for (const { name, trials } of auditFamilies) {
    io.stdout.write(`${name}\n`);
    for (const { id, severity, about } of trials) {
      const lines = wrap(about, io.stdout.columns - 4).map((line) => `    ${line}\n`);
      io.stdout.write(`  ${id} (${severity})\n${lines.join("")}`);
    }
  }
}
