import { readFileSync } from "node:fs";
import { LabError } from "../../base/index.js";
import { filesBeside } from "../../lab/index.js";
import {
  formatDiagnostics,
  parseScenario,
  type Scenario,
  scenario as buildScenario,
  type ScenarioInput,
} from "../../scenario/index.js";
import type { StartLabOptions } from "../options.js";
import { spanMs } from "./spans.js";

/** Real time in which a receiver must answer: shorter than the time limit that test runners give a test. */
const TIMEOUT_MS = 2000;

/** Virtual time begins on this ordinary Wednesday morning. */
const STARTS = "2026-03-04T06:00:00.000Z";

/** Name of a scenario that is no file, in messages. Files that it names are in the working directory. */
const TEXT_FILE = "scenario of the test";

/** A handset that answers to one number, and nothing that happens by itself. */
const usual = {
  name: "Test lab",
  seed: 1,
  starts: STARTS,
  lasts: "1d",
  handsets: { clinic: { phone: "+250788000001" } },
} as const satisfies ScenarioInput;

/**
 * The scenario of a lab, without an end.
 *
 * @throws LabError `bad-options`, `not-read`; ScenarioError for an object that is not sound
 */
export function scenarioOf(options: StartLabOptions): Scenario {
  const { scenario: given, cast, seed, spelling } = options;
  if (given !== undefined && cast !== undefined) {
    throw new LabError("bad-options", "'cast' and 'scenario' cannot both be", {
      hint: "write handsets and people into the scenario",
    });
  }
  const scenario = readGiven(given ?? { ...usual, ...cast }, seed);
  return {
    ...scenario,
    expect: scenario.expect.map((bound) => ({ ...bound, abort: false })),
    cast: { ...scenario.cast, lastsMs: Infinity },
    ...(seed !== undefined && { seed }),
    service: {
      ...scenario.service,
      ...(spelling !== undefined && { spelling }),
      timeoutMs: timeoutMsOf(scenario, options),
    },
  };
}

function timeoutMsOf({ service, receiver }: Scenario, { timeout }: StartLabOptions): number {
  if (timeout !== undefined) return Math.max(1, spanMs(timeout, "timeout"));
  return Math.min(TIMEOUT_MS, receiver?.timeoutMs ?? service.timeoutMs);
}

function readGiven(given: string | ScenarioInput | Scenario, seed: number | undefined): Scenario {
  if (typeof given === "string") return readText(given, seed);
  if (isScenario(given)) return given;
  return buildScenario(given, { file: TEXT_FILE, readFile: filesBeside(TEXT_FILE) });
}

function isScenario(given: ScenarioInput | Scenario): given is Scenario {
  return "cast" in given && "source" in given;
}

/** Reads a file, or a text: that has a line end. */
function readText(given: string, seed: number | undefined): Scenario {
  const isText = given.includes("\n");
  const file = isText ? TEXT_FILE : given;
  const text = isText ? given : readFile(given);
  const { scenario, diagnostics } = parseScenario(text, {
    file,
    nowMs: Date.parse(STARTS),
    ...(seed !== undefined && { seed }),
    readFile: filesBeside(file),
    readData: filesBeside(file),
  });
  if (scenario !== undefined) return scenario;
  throw new LabError("bad-options", `the scenario is not sound\n${formatDiagnostics(diagnostics, text).trimEnd()}`);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new LabError("not-read", `the scenario ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
