import { Command, InvalidArgumentError, Option } from "commander";
import { pullAccount } from "../../../pull/index.js";
import { UsageError } from "../../failures.js";
import { duration, list } from "../../options/values.js";
import { pullText } from "../../printing/pull-text.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { showingProgress } from "../../terminal/operation-line.js";

interface Flags {
  readonly token?: string;
  readonly output: string;
  readonly overwrite?: true;
  readonly pseudonyms: "on" | "off";
  readonly key?: string;
  readonly keepField: readonly string[];
  readonly rate?: number;
  readonly timeout?: number;
  readonly maxWait?: number;
  readonly json?: true;
}

export function pullCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("pull")
    .description(
      "Reads the account of a service by its REST API and writes it as an account file, from which serve and run begin. " +
        "Names, addresses and text values of contacts become pseudonyms. An interrupted pull continues where it stopped. " +
        "Exit codes: 0 written, 1 written, with problems that are listed, 2 wrong usage or a refused token, 3 no answer.",
    )
    .argument("<url>", "address of the service, such as https://rapidpro.example")
    .addOption(
      new Option("--token <token>", "token of the API; better in the environment, out of the shell's history").env(
        "HANDSET_API_TOKEN",
      ),
    )
    .requiredOption("-o, --output <file>", "account file to write; flows are written into a folder beside it")
    .option("--overwrite", "replace existing files")
    .addOption(
      new Option("--pseudonyms <mode>", "on: contacts get other names, addresses, UUIDs and text values; off")
        .choices(["on", "off"])
        .default("on"),
    )
    .option("--key <file>", "key of the pseudonyms, for the same ones in each pull and import; created if missing")
    .option("--keep-field <key>", "key of a text field whose values stay; repeatable", list, [])
    .option(
      "--rate <n>",
      "maximum number of requests per second (default: 5; no maximum for a service on this machine)",
      rate,
    )
    .option("--timeout <duration>", "maximum time for an answer (default: 60s)", duration)
    .option("--max-wait <duration>", "maximum wait of a request when the service throttles (default: 10m)", duration)
    .option("--json", "print the summary as one JSON object")
    .addHelpText("after", examples)
    .action(async (url: string, flags: Flags) => {
      const { token, keepField, timeout, maxWait, json, ...options } = flags;
      if (token === undefined || token === "")
        throw new UsageError("a token is missing", "put it into HANDSET_API_TOKEN, or give it with --token");
      const interruption = new AbortController();
      const stopListening = io.onInterrupt(() => {
        if (interruption.signal.aborted) io.exit(3);
        interruption.abort();
      });
      try {
        const summary = await showingProgress(io, (onProgress) =>
          pullAccount({
            ...options,
            url,
            token,
            keepFields: keepField,
            timeoutMs: timeout,
            maxWaitMs: maxWait,
            signal: interruption.signal,
            onProgress,
          }),
        );
        if (json === true) io.stdout.write(`${JSON.stringify(summary)}\n`);
        else io.stdout.write(pullText(summary));
        if (summary.problems !== "") {
          io.stderr.write(summary.problems);
          end(1);
        }
      } finally {
        stopListening();
      }
    });
}

function rate(text: string): number {
  const perSecond = Number(text.replace(/\/s$/, ""));
  if (!(perSecond > 0 && perSecond <= 1000))
    throw new InvalidArgumentError(`it must be requests per second, above 0 and at most 1000, got '${text}'.`);
  return perSecond;
}

const examples = `
Examples:
  export HANDSET_API_TOKEN=…
  handset account pull https://rapidpro.example -o account.yaml
  handset serve account.yaml

The file OUTPUT.pull has what was read until the pull is finished, with real names; it is then removed.`;
