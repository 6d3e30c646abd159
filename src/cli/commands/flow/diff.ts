import { dirname, resolve } from "node:path";
import { Command } from "commander";
import { compareTalk, coverFlow, type TalkScript } from "../../../flow/index.js";
import { scenarioTalks } from "../../../inspect/index.js";
import { Streams } from "../../../sim/index.js";
import { list, wholeNumber } from "../../options/values.js";
import { changedJson, changedText } from "../../printing/flow-diff-text.js";
import { UsageError } from "../../failures.js";
import { readText } from "../../scenario-file.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { chosenFlows, contactOf, readTalkFile, type TalkFile } from "./talk-account.js";

interface Flags {
  readonly talks: readonly string[];
  readonly flow: readonly string[];
  readonly contact?: string;
  readonly seed: number;
  readonly all?: true;
  readonly json?: true;
}

/** Acts of all conversations with which one flow is explored. */
const COVER_ACTS = 2000;

/** `handset flow diff`: which conversations change between two versions of flows. */
export function diffFlowsCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("diff")
    .summary("play conversations against two versions of flows, and show which change")
    .description(
      "Plays conversations against the flows of both files: those of scenarios that flow record and flow chat wrote, or " +
        "the walks that reach all categories of the old flows. Shows where each one that changes parts. " +
        "Exit codes: 0 none changes, 1 some do, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("<old>", "export or definition (JSON)")
    .argument("<new>", "export or definition (JSON)")
    .option("--talks <file>", "conversations: a scenario; repeatable (default: walks through the old flows)", list, [])
    .option("--flow <flow>", "only walks through this flow: name or UUID; repeatable", list, [])
    .option("--contact <file>", "the contact of the walks, JSON or YAML: name, language, groups, fields, urns")
    .option("--seed <number>", "the same seed gives the same answers of the walks", wholeNumber, 1)
    .option("--all", "show all changed conversations, not only ten")
    .option("--json", "print the result as one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  handset flow diff old.json new.json\n  handset flow diff old.json new.json --talks talk.yaml",
    )
    .action((oldPath: string, newPath: string, flags: Flags) => {
      const before = readTalkFile(oldPath, { io, end });
      const after = readTalkFile(newPath, { io, end });
      const scripts =
        flags.talks.length > 0 ? flags.talks.flatMap((file) => talksIn(file, before)) : walksOf(before, flags);
      if (scripts.length === 0) throw new UsageError(`${oldPath} has no flow that can be loaded`);
      const changed = scripts.flatMap((script) => compareTalk(script, before.account, after.account) ?? []);
      const old = new Set(before.account.flows.map(({ name }) => name));
      const added = after.account.flows.filter(({ name }) => !old.has(name)).map(({ name }) => name);
      const result = { old: oldPath, new: newPath, talks: scripts.length, changed, added };
      if (flags.json === true) io.stdout.write(`${JSON.stringify(changedJson(result))}\n`);
      else io.stdout.write(changedText(result, { width: io.stdout.columns, showsAll: flags.all === true }));
      if (changed.length > 0) end(1);
    });
}

function talksIn(file: string, { account }: TalkFile): readonly TalkScript[] {
  const readData = (name: string): string | undefined => readText(resolve(dirname(file), name));
  return scenarioTalks({ file, text: readText(file), readData, account });
}

/** The walks that cover the flows. A flow is named, because the new file may have other UUIDs. */
function walksOf(file: TalkFile, { flow: names, contact: contactFile, seed }: Flags): readonly TalkScript[] {
  const { account } = file;
  const startsAtMs = Math.floor(Date.now() / 60_000) * 60_000;
  const contact = contactOf(contactFile, account, startsAtMs);
  return chosenFlows(file, names).flatMap((flow) => {
    const draws = new Streams(seed).get(flow.uuid);
    const cover = coverFlow(flow, { account, contact, startsAtMs, random: () => draws.fine(), actsMax: COVER_ACTS });
    return cover.walks.map(({ script }): TalkScript => {
      const [, ...acts] = script.acts;
      return { ...script, acts: [{ kind: "start", flow: flow.name }, ...acts] };
    });
  });
}
