import { Command } from "commander";
import { playSession } from "../../../flow/index.js";
import { Streams } from "../../../sim/index.js";
import { readIsoTime } from "../../../wire/index.js";
import type { Io } from "../../terminal/io.js";
import { answerLines } from "./json-lines.js";
import { queryMembership } from "./query-membership.js";

/** `handset flow play`: plays sessions of plain JSON. */
export function playCommand(io: Io): Command {
  return new Command("play")
    .summary("run sessions of flows, as JSON lines")
    .description(
      'Reads lines {"assets": {"flows": […], …}, "environment", "contact", "trigger", "resumes": […], "http_mocks", ' +
        '"now", "seed"} and answers each {"sprints": [{"status", "events", "runs"}]}: one for the trigger and one for each ' +
        "resume. Flows may have any version. Requests get the answers of http_mocks and do not leave this machine. " +
        'Defaults: "now" the clock, "seed" 1. A line with a mistake is answered {"error": "…"}.',
    )
    .action(() => answerLines(io, (input) => play(input)));
}

function play(input: unknown): unknown {
  const line = typeof input === "object" && input !== null ? input : {};
  const clock = "now" in line ? instantIn(line.now) : undefined;
  const seed = "seed" in line ? Number(line.seed) : 1;
  if (!Number.isSafeInteger(seed)) throw new Error("'seed' must be a whole number");
  const streams = new Streams(seed);
  const draws = streams.get("random");
  let uuids = 0;
  const now = (): number => clock ?? Date.now();
  return playSession(input, {
    now,
    random: () => draws.fine(),
    uuid: () => streams.uuid(`uuid/${uuids++}`),
    membership: (environment, assets) => queryMembership(environment, assets, now()),
  });
}

/** Milliseconds since 1970; undefined: null. */
function instantIn(value: unknown): number | undefined {
  if (value === null) return undefined;
  const time = typeof value === "string" ? readIsoTime(value) : undefined;
  if (time === undefined) throw new Error(`'now' must be a time in ISO 8601, got ${JSON.stringify(value)}`);
  return time.localMs + time.fractionMs - (time.offsetMs ?? 0);
}
