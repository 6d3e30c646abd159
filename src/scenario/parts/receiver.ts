import * as z from "zod";
import { keyed } from "../sheet/field.js";
import { count, duration, flag, text, url } from "../fields/fields.js";
import type { ReadFile } from "../sheet/csv.js";
import type { ReceiverSpec } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { keyConflict, isMap } from "../sheet/raw-value.js";
import { answerField } from "../verbs/receiver.js";
import { checkHeader } from "./headers.js";

const receiverUrl = url("Where events are delivered: a URL (its query is kept), none, or bundled.", {
  words: ["none", "bundled"],
}).prefault("bundled");

const receiverMap = keyed({
  url: receiverUrl,
  answers: answerField(
    "How the bundled receiver answers from the start, as the verb `receiver` says; default: ok.",
  ).optional(),
  application: text(
    "A JavaScript module that answers events for the bundled receiver, by its path from the scenario's folder.",
  ).optional(),
  timeout: duration("Wall time for a whole exchange, instead of the service's.", { minMs: 1 }).optional(),
  headers: z.record(z.string(), text("The header's value.")).describe("Headers added to every request.").optional(),
  ca: text("A file with the PEM text of an own certificate authority.").optional(),
  connections: count("How many connections are open at most.", { min: 1, max: 10_000 }).prefault(50),
  marks: flag("Adds headers with the event's id, the attempt and the virtual time.").prefault(false),
});

const setByService = /^(content-length|content-type|transfer-encoding|host|connection)$/i;

/** `receiver`: a URL or word, or a map. */
export const receiverSchema = z.union([receiverUrl, receiverMap]);

/** What the typed builder takes for `receiver`. */
export type WrittenReceiver = z.input<typeof receiverSchema>;

/**
 * Reads `receiver`; undefined if it is absent, or invalid, which is then reported.
 *
 * @param options - `readData` absent: the application's module is not checked
 */
export function readReceiver(
  reader: DocumentReader,
  { readFile, readData }: { readonly readFile?: ReadFile | undefined; readonly readData?: ReadFile | undefined },
): ReceiverSpec | undefined {
  const written = reader.at(["receiver"]);
  if (written === undefined) return undefined;
  const url = isMap(written) ? undefined : reader.read(receiverUrl, ["receiver"]);
  const given = isMap(written)
    ? reader.read(receiverMap, ["receiver"])
    : url === undefined
      ? undefined
      : receiverMap.parse({ url });
  if (given === undefined) return undefined;
  const ca = given.ca === undefined ? undefined : authority(given.ca, reader, readFile);
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    checkHeader(reader, ["receiver", "headers", name], value, setByService);
  }
  for (const key of ["answers", "application"] as const) {
    if (given[key] === undefined || given.url === "bundled") continue;
    reader.reportProblem(
      ["receiver", key],
      keyConflict(`'${key}' is for the bundled receiver, and 'url' names another one`, `remove 'url', or '${key}'`),
    );
  }
  if (given.application !== undefined) checkApplication(given.application, reader, readData);
  return {
    url: given.url,
    answers: given.answers,
    application: given.application,
    timeoutMs: given.timeout,
    headers: { ...given.headers },
    ca,
    connections: given.connections,
    marks: given.marks,
  };
}

function authority(given: string, reader: DocumentReader, readFile: ReadFile | undefined): string | undefined {
  const pemStart = "-----BEGIN ";
  if (given.startsWith(pemStart)) return given;
  let pem: string | undefined;
  let why = "files cannot be read here";
  try {
    pem = readFile?.(given);
    why = `'${given}' is no PEM file`;
  } catch (error) {
    why = `'${given}' cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (pem?.includes(pemStart) === true) return pem;
  reader.reportProblem(["receiver", "ca"], {
    code: "bad-file",
    message: why,
    whole: true,
    hint: "name a PEM file; paths count from the scenario's folder",
  });
  return undefined;
}

/** Reports a module that cannot be read. It is loaded when the receiver starts: parsing a scenario runs no code. */
function checkApplication(given: string, reader: DocumentReader, readData: ReadFile | undefined): void {
  try {
    readData?.(given);
  } catch (error) {
    reader.reportProblem(["receiver", "application"], {
      code: "bad-file",
      message: `'${given}' cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      whole: true,
      hint: "name a JavaScript module; paths count from the scenario's folder",
    });
  }
}
