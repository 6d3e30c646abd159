import { Command } from "commander";
import {
  type SessionContact,
  type Host,
  readExportFlows,
  type Walk,
  walkAssets,
  walkFlow,
} from "../../../flow/index.js";
import { Streams } from "../../../sim/index.js";
import { wholeNumber } from "../../options/values.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { forEachJsonFile } from "./json-file.js";

/** `handset flow walk`: answers the questions of each flow, to see that it runs. */
export function walkCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("walk")
    .summary("run each flow of a file with answers generated from its tests")
    .description(
      "Starts each flow and answers its questions: mostly with answers that its tests accept, sometimes with nonsense or " +
        "not at all. Missing groups, flows and fields are created. HTTP requests get 200 and {} and do not leave this machine. " +
        "Exit codes: 0 done, 1 a flow failed, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("<file...>", "exports or definitions (JSON)")
    .option("--answers <count>", "stop a flow after this number of answers", wholeNumber, 200)
    .option("--seed <number>", "the same seed gives the same answers", wholeNumber, 1)
    .option("--json", "print a JSON line for each flow")
    .action((files: string[], flags: { answers: number; seed: number; json?: boolean }) => {
      forEachJsonFile(files, { io, end }, (file, whole) => walkFile({ file, whole }, flags, { io, end }));
    });
}

function walkFile(
  { file, whole }: { readonly file: string; readonly whole: unknown },
  { answers, seed, json = false }: { readonly answers: number; readonly seed: number; readonly json?: boolean },
  { io, end }: { readonly io: Io; readonly end: (code: ExitCode) => void },
): void {
  const { flows, faults, json: native } = readExportFlows(whole);
  const assets = walkAssets(flows, native);
  for (const { flow, text } of faults) {
    io.stderr.write(`${file}: ${flow}: cannot be loaded: ${text}\n`);
    end(2);
  }
  for (const name of assets.missingFlows) io.stderr.write(`${file}: flow '${name}' is missing, taken as empty\n`);
  const streams = new Streams(seed);
  for (const flow of flows) {
    const draws = streams.get(flow.uuid);
    let uuids = 0;
    const startsAtMs = Date.now();
    const host: Host = {
      environment: {
        timezone: "UTC",
        dateFormat: "DD-MM-YYYY",
        timeFormat: "tt:mm",
        allowedLanguages: flow.language === "und" ? [] : [flow.language],
        defaultCountry: "RW",
      },
      assets,
      now: () => startsAtMs,
      random: () => draws.fine(),
      uuid: () => streams.uuid(`${flow.uuid}/${uuids++}`),
    };
    const walk = walkFlow(flow, { host, contact: walker(startsAtMs), answersMax: answers });
    io.stdout.write(json ? `${JSON.stringify(walk)}\n` : outline(walk));
    if (walk.ended === "failed") end(1);
  }
}

function walker(nowMs: number): SessionContact {
  return {
    uuid: "00000000-0000-4000-8000-000000000002",
    id: 1,
    name: "Ann Uwase",
    language: "",
    timezone: "",
    status: "active",
    createdAtMs: nowMs,
    urns: ["tel:+250788123123"],
    groups: [],
    fields: {},
  };
}

function outline({ name, ended, answers, errors }: Walk): string {
  const counted = `${answers} ${answers === 1 ? "answer" : "answers"}`;
  return [`${name}: ${ended} after ${counted}`, ...errors.map((text) => `  ${text}`), ""].join("\n");
}
