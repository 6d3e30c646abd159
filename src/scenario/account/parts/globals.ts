import * as z from "zod";
import { text } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { describeValue } from "../../sheet/raw-value.js";
import { mapEntries } from "../entries.js";

const keyForm = /^[a-z][a-z0-9_]{0,35}$/;

const value = text("Its text.");

/** `globals`: texts by key. */
export const globalsSchema: z.ZodType = z.record(z.string(), value).nullable();

/** Reads `globals`; undefined: the file has none. */
export function readGlobals(reader: DocumentReader): Readonly<Record<string, string>> | undefined {
  const read = mapEntries(reader, ["globals"]).flatMap(({ path, name }): [string, string][] => {
    if (!keyForm.test(name)) {
      reader.reportProblem(path, {
        code: "bad-name",
        message: `${describeValue(name)} cannot be the key of a global: a small letter, then small letters, digits or _, 36 at most`,
        whole: true,
        on: "key",
      });
    }
    const given = reader.read(value, path);
    return given === undefined ? [] : [[name, given]];
  });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}
