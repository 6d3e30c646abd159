import { readFileSync } from "node:fs";
import { LabError } from "../base/index.js";
import {
  NOT_KEPT,
  type Parsed,
  parseScenario,
  type Scenario,
  withoutMissing,
  withoutSecrets,
} from "../scenario/index.js";
import type { RunMeta } from "../store/index.js";
import { withoutUserInfo } from "../wire/index.js";

/** The parts of a scenario that a recording keeps, to parse it again. */
export interface KeptScenario {
  readonly source: Scenario["source"];
  /** `--set` arguments, and the files that the scenario names. */
  readonly options: Readonly<Record<string, string>>;
}

/** @param keepsSecrets - whether to keep passwords in URLs and the values of headers such as `Authorization` */
export function scenarioToKeep(scenario: Scenario, { keepsSecrets }: { readonly keepsSecrets: boolean }): KeptScenario {
  const source = keepsSecrets ? scenario.source : withoutSecrets(scenario);
  const { set, files } = source;
  return {
    source,
    options: {
      ...(set !== undefined && { set: JSON.stringify(set) }),
      ...(files !== undefined && { files: JSON.stringify(files) }),
    },
  };
}

/** A URL as a recording keeps it: without user and password, unless secrets are kept. */
export function urlToKeep(url: string, { keepsSecrets }: { readonly keepsSecrets: boolean }): string {
  return keepsSecrets ? url : withoutUserInfo(url);
}

/**
 * Parses the scenario of a recording, without the secrets that were not kept.
 *
 * @param path - of the recording, for messages
 * @throws LabError if this version cannot parse it
 */
export function scenarioOf(meta: RunMeta, path: string): Scenario {
  return withoutMissing(readKept(meta, path));
}

/**
 * As `scenarioOf`, with the secrets, to send events again. Secrets that the recording does not keep are read from the
 * scenario's file if that is otherwise unchanged.
 *
 * @throws LabError `bad-options` if a needed secret is in neither
 */
export function scenarioWithSecrets(meta: RunMeta, path: string): Scenario {
  const kept = readKept(meta, path);
  if (!lacksSecrets(kept)) return kept;
  const { file } = meta.scenario;
  const text = textOf(file);
  const { scenario: now } = text === undefined ? {} : parseKept(meta, text);
  if (now !== undefined && withoutSecrets(now).text === meta.scenario.text && !lacksSecrets(now)) return now;
  throw new LabError("bad-options", `${path} does not keep the passwords and tokens that its scenario sends`, {
    hint: `put ${file} back as it was, or record with --keep-secrets`,
  });
}

function lacksSecrets({ receiver, cast }: Scenario): boolean {
  const texts = [receiver?.url, ...Object.values(receiver?.headers ?? {}), ...cast.handsets.map((one) => one.receiver)];
  return texts.some((text) => text?.includes(NOT_KEPT) === true);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function readKept(meta: RunMeta, path: string): Scenario {
  const { scenario, diagnostics } = parseKept(meta, meta.scenario.text);
  if (scenario !== undefined) return scenario;
  const [first] = diagnostics;
  throw new LabError("bad-options", `this version cannot read the scenario in ${path}: ${first?.message}`, {
    hint: `another version recorded it: record the scenario again`,
  });
}

/** Parses a text with the recorded seed, start, `--set` arguments and files. */
function parseKept(
  { scenario: { file }, startsAtMs, seed, options }: RunMeta,
  text: string,
): Pick<Parsed, "scenario" | "diagnostics"> {
  const files = JSON.parse(options["files"] ?? "{}") as Record<string, string>;
  const { scenario, diagnostics } = parseScenario(text, {
    file,
    nowMs: startsAtMs,
    seed,
    set: JSON.parse(options["set"] ?? "[]") as string[],
    readFile(name) {
      const known = files[name];
      if (known === undefined) throw new Error("it is not in the recording");
      return known;
    },
  });
  return {
    diagnostics,
    scenario: scenario && { ...scenario, cast: { ...scenario.cast, startsAtMs } },
  };
}
