import { Readable } from "node:stream";
import { LabError } from "../base/index.js";
import type { FieldLog } from "../console/index.js";
import {
  causeOf,
  causePhrase,
  causeShares,
  causesTogether,
  type ImportedLog,
  importLog,
  inferDay,
  type InferredDay,
  largestScenario,
  writeFittingScenario,
} from "../field/index.js";
import { parseScenario } from "../scenario/index.js";
import { refusal } from "./refusal.js";

/** Events of the largest log whose causes are inferred here: the lab waits for it. */
const CAUSES_UP_TO = 50_000;

/**
 * Reads a field log that somebody gave to the console, with pseudonyms: what it has, its causes, the scenario of its day.
 *
 * @throws ControlRefusal if it is no field log
 */
export async function readFieldLogOf(bytes: Uint8Array, name: string): Promise<FieldLog> {
  const log = await importLog(["-"], { stdin: Readable.from([bytes]), keeps: CAUSES_UP_TO }).catch((error: unknown) => {
    if (!(error instanceof LabError)) throw error;
    const message = error.message.replaceAll("standard input", name);
    throw refusal("detail", error.hint === undefined ? message : `${message}:\n${error.hint}`);
  });
  try {
    return answerOf(log, name, log.isKept ? inferDay(log.events()) : undefined);
  } finally {
    log.close();
  }
}

function answerOf({ summary }: ImportedLog, name: string, inferred: InferredDay | undefined): FieldLog {
  const { formats, lines, events, rejected, handsets, people, fromMs, toMs, byType, answers, notes } = summary;
  return {
    name,
    format: formats.join(", "),
    lines,
    events,
    rejected: Object.fromEntries(rejected),
    handsets: handsets.length,
    people,
    from: isoOf(fromMs),
    to: isoOf(toMs),
    types: Object.fromEntries(byType),
    answers: Object.fromEntries(answers),
    notes,
    causes:
      inferred === undefined
        ? null
        : causesTogether(inferred.causes).map(({ first, others, of, rows }) => ({
            at: new Date(Math.round(first.fromMs)).toISOString(),
            of: others === 0 ? causeOf(first) : `${others + 1} phones at once`,
            what: causePhrase(first),
            evidence: others === 0 ? first.evidence : `${of.join(", ")}; the first: ${first.evidence}`,
            rows,
          })),
    shares: inferred === undefined ? null : causeShares(inferred),
    unexplained: inferred?.unexplained.length ?? null,
    scenario: inferred === undefined || events === 0 ? null : scenarioOf(inferred, name),
  };
}

/** Null: it does not play. */
function scenarioOf(inferred: InferredDay, name: string): string | null {
  const { text } = writeFittingScenario(inferred, { source: name, largest: largestScenario });
  return parseScenario(text, { file: `${name}.yaml`, nowMs: Date.now() }).scenario === undefined ? null : text;
}

function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
