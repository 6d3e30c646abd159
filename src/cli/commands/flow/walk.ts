import { Command } from "commander";
import {
  coverFlow,
  exportEnvironment,
  type FlowDefinition,
  type Host,
  linesOf,
  readExportFlows,
  type TalkLine,
  walkFlow,
} from "../../../flow/index.js";
import { Streams } from "../../../sim/index.js";
import { list, wholeNumber } from "../../options/values.js";
import { coverJson, coverText, walkJson, walkText } from "../../printing/walk-text.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { forEachJsonFile } from "./json-file.js";
import { accountOf, chosenFlows, contactOf, type TalkFile } from "./talk-account.js";

interface Flags {
  readonly answers: number;
  readonly seed: number;
  readonly flow: readonly string[];
  readonly contact?: string;
  readonly transcript?: true;
  readonly cover?: true;
  readonly json?: true;
}

/** Acts of all conversations with which one flow is explored. */
const COVER_ACTS = 5000;

/** `handset flow walk`: answers the questions of each flow, to see that it runs. */
export function walkCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("walk")
    .summary("run each flow of a file with answers generated from its tests")
    .description(
      "Starts each flow and answers its questions: mostly with answers that its tests accept, sometimes with nonsense or " +
        "not at all. With --cover it answers each question in each way, until all categories are reached. " +
        "Missing groups, flows and fields are created. HTTP requests get 200 and {} and do not leave this machine. " +
        "Exit codes: 0 done, 1 a flow failed, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("<file...>", "exports or definitions (JSON)")
    .option("--flow <flow>", "only this flow: name or UUID; repeatable", list, [])
    .option("--transcript", "print the dialogue, with results, changes and errors")
    .option("--cover", "as many walks as reach all categories, and why others cannot be reached")
    .option("--contact <file>", "the contact, JSON or YAML: name, language, groups, fields, urns")
    .option("--answers <count>", "stop a flow after this number of answers", wholeNumber, 200)
    .option("--seed <number>", "the same seed gives the same answers", wholeNumber, 1)
    .option("--json", "print a JSON line for each flow")
    .addHelpText(
      "after",
      "\nExamples:\n  handset flow walk my-export.json --flow Registration --transcript\n  handset flow walk my-export.json --cover",
    )
    .action((files: string[], flags: Flags) => {
      forEachJsonFile(files, { io, end }, (file, whole) => {
        const talk = accountOf(file, readExportFlows(whole), { io, end });
        for (const flow of chosenFlows(talk, flags.flow)) {
          if (flags.cover === true) coverOne(talk, flow, flags, { io, end });
          else walkOne(talk, flow, flags, { io, end });
        }
      });
    });
}

type Context = { readonly io: Io; readonly end: (code: ExitCode) => void };

function walkOne(
  { account }: TalkFile,
  flow: FlowDefinition,
  { answers, seed, contact: file, transcript, json }: Flags,
  { io, end }: Context,
): void {
  const streams = new Streams(seed);
  const draws = streams.get(flow.uuid);
  let uuids = 0;
  const startsAtMs = Date.now();
  const contact = contactOf(file, account, startsAtMs);
  const host: Host = {
    environment: {
      ...exportEnvironment,
      allowsAnyLanguage: contact.language !== "",
      allowedLanguages: flow.language === "und" || contact.language !== "" ? [] : [flow.language],
      defaultCountry: "RW",
    },
    assets: account.assets,
    now: () => startsAtMs,
    random: () => draws.fine(),
    uuid: () => streams.uuid(`${flow.uuid}/${uuids++}`),
  };
  const lines: TalkLine[] = [];
  const walk = walkFlow(flow, {
    host,
    contact,
    answersMax: answers,
    ...(transcript === true && { observe: (sprint) => lines.push(...linesOf(sprint, account.assets)) }),
  });
  const dialogue = transcript === true ? { lines, name: contact.name } : undefined;
  io.stdout.write(
    json === true ? `${JSON.stringify(walkJson(walk, dialogue))}\n` : walkText(walk, dialogue, io.stdout.columns),
  );
  if (walk.ended === "failed") end(1);
}

function coverOne(
  { account }: TalkFile,
  flow: FlowDefinition,
  { seed, contact: file, transcript, json }: Flags,
  { io, end }: Context,
): void {
  const draws = new Streams(seed).get(flow.uuid);
  const startsAtMs = Date.now();
  const contact = contactOf(file, account, startsAtMs);
  const cover = coverFlow(flow, { account, contact, startsAtMs, random: () => draws.fine(), actsMax: COVER_ACTS });
  const show = { hasDialogue: transcript === true, width: io.stdout.columns };
  io.stdout.write(
    json === true ? `${JSON.stringify(coverJson(flow, cover, show.hasDialogue))}\n` : coverText(flow, cover, show),
  );
  if (cover.walks.some(({ ended }) => ended === "failed")) end(1);
}
