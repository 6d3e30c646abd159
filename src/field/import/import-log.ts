import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { LabError } from "../../base/index.js";
import { encodeForm, formField, type FormPair } from "../../wire/index.js";
import type { FieldEvent } from "../field-event.js";
import { type FieldLog, type FieldPlace, readFieldLog } from "../log/field-log.js";
import type { FieldLogOptions, RejectedPlace } from "../log/field-log-options.js";
import { pseudonymKey } from "../pseudonyms/key-file.js";
import { Keywords } from "../pseudonyms/keywords.js";
import { EventPseudonyms } from "../pseudonyms/pseudonymise.js";
import { Pseudonyms } from "../pseudonyms/pseudonyms.js";
import { factsOf } from "../event-facts.js";
import { FieldCounts, type FieldSummary, type NamedHandset } from "./summary.js";

/** How to import a field log. */
export interface ImportLogOptions extends FieldLogOptions {
  /** Default: on, but off for a log of our own events. */
  readonly pseudonyms?: "on" | "off" | "keep-texts" | undefined;
  /** File with the key of the pseudonyms, created if it is missing; default: a key that nobody keeps. */
  readonly key?: string | undefined;
  /** File that gets all rejected records, with their text, as JSON lines. */
  readonly rejects?: string | undefined;
  /** Replaces an existing file of rejected records. */
  readonly overwrite?: boolean | undefined;
}

/** Rejected records that a summary shows. */
const SHOWN_REJECTS = 10;

/** A field log, read and pseudonymised. Close it. */
export class ImportedLog {
  readonly summary: FieldSummary;
  /** The first ten. */
  readonly rejects: readonly RejectedPlace[];
  readonly pseudonyms: "on" | "off" | "keep-texts";
  readonly #log: FieldLog;
  readonly #replace: EventPseudonyms | undefined;

  constructor(
    log: FieldLog,
    parts: {
      readonly replace: EventPseudonyms | undefined;
      readonly pseudonyms: "on" | "off" | "keep-texts";
      readonly rejects: readonly RejectedPlace[];
      readonly summary: FieldSummary;
    },
  ) {
    this.#log = log;
    this.#replace = parts.replace;
    this.pseudonyms = parts.pseudonyms;
    this.rejects = parts.rejects;
    this.summary = parts.summary;
  }

  /** Whether `events` can be called, see `keeps`. */
  get isKept(): boolean {
    return this.#log.isKept;
  }

  /** In the order of time; events of the same instant in that of the source. May be called again. */
  *events(): Generator<FieldEvent> {
    const replace = this.#replace;
    for (const event of this.#log.inOrderOfTime()) yield replace === undefined ? event : replace.event(event);
  }

  /** The file and line of an event's `place`. */
  placeOf(place: number): FieldPlace {
    return this.#log.placeOf(place);
  }

  /** Deletes the temporary file. May be called twice. */
  close(): void {
    this.#log.close();
  }
}

/**
 * Reads field logs, replaces what tells about people and secrets, and counts what they have.
 *
 * @param files - paths; `-` is standard input
 * @throws LabError `bad-options`, `not-read`, `not-written`; StoreError
 */
export async function importLog(files: readonly string[], options: ImportLogOptions = {}): Promise<ImportedLog> {
  const { pseudonyms: mode, key, keeps = Infinity } = options;
  // A faulty key must not be found after minutes of reading.
  const secret = mode === "off" ? undefined : pseudonymKey(key);
  const keywords = new Keywords();
  const counts = new FieldCounts();
  const shown: RejectedPlace[] = [];
  const rejects =
    options.rejects === undefined ? undefined : new RejectsFile(options.rejects, options.overwrite === true);
  try {
    const log = await readFieldLog(files, {
      ...options,
      onEvent: (event) => {
        counts.add(event);
        if (mode !== "off" && counts.count <= keeps) countWords(event, keywords);
        options.onEvent?.(event);
      },
      onReject: (rejected) => {
        if (shown.length < SHOWN_REJECTS) shown.push(rejected);
        rejects?.add(rejected);
        options.onReject?.(rejected);
      },
    });
    try {
      const used = mode ?? (log.isOwn ? "off" : "on");
      const replace =
        used === "off" || secret === undefined
          ? undefined
          : new EventPseudonyms(new Pseudonyms(secret, keywords.found()), used);
      const summary = counts.summary(log.totals, (handset) => replacedHandset(handset, replace));
      return new ImportedLog(log, { replace, pseudonyms: used, rejects: shown, summary });
    } catch (error) {
      log.close();
      throw error;
    }
  } finally {
    rejects?.close();
  }
}

/** The handset as the pseudonymised events name it. */
function replacedHandset(handset: NamedHandset, replace: EventPseudonyms | undefined): NamedHandset {
  if (replace === undefined) return handset;
  const { key, phone } = handset;
  const pairs: FormPair[] = [["event", "alarm"]];
  if (key !== "" && key !== phone) pairs.push([/^[\da-f-]{36}$/i.test(key) ? "channel_uuid" : "relayer", key]);
  if (phone !== undefined) pairs.push(["relayer_phone", phone]);
  const facts = factsOf(replace.event({ place: 0, atMs: 0, body: encodeForm(pairs) }).body);
  return { key: facts.handset ?? "", phone: facts.handsetPhone };
}

function countWords({ body, answer }: FieldEvent, keywords: Keywords): void {
  const text = formField(body, "text");
  if (text !== undefined) keywords.addText(text);
  const name = formField(body, "contact_name");
  if (name !== undefined) keywords.addName(name);
  if (answer?.body !== undefined) keywords.addText(answer.body);
}

/** Writes rejected records as JSON lines. They are as the source has them, so only the user may read them. */
class RejectsFile {
  readonly #path: string;
  readonly #file: number;
  #lines = "";

  constructor(path: string, overwrite: boolean) {
    this.#path = path;
    try {
      // An empty file is what a failed import leaves, or a device.
      if (!overwrite && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
        throw new LabError("bad-options", `${path} exists already`, { hint: "--overwrite replaces it" });
      }
      this.#file = openSync(path, "w", 0o600);
    } catch (error) {
      if (error instanceof LabError) throw error;
      throw new LabError("not-written", `--rejects ${path} cannot be written`, { cause: error });
    }
  }

  add({ file, line, reason, text }: RejectedPlace): void {
    this.#lines += `${JSON.stringify({ file, line, reason, text })}\n`;
    if (this.#lines.length > 1 << 16) this.#write();
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    try {
      writeSync(this.#file, this.#lines);
    } catch (error) {
      throw new LabError("not-written", `--rejects ${this.#path} cannot be written`, { cause: error });
    }
    this.#lines = "";
  }
}
