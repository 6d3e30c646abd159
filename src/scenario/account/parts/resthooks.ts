import * as z from "zod";
import type { ResthookData } from "../../../wire/index.js";
import { field } from "../../sheet/field.js";
import { formed, formShape } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { readUrl, urlPattern } from "../../fields/values/url.js";
import { listOf } from "../../fields/values/scalar.js";
import { isMap } from "../../sheet/raw-value.js";
import { listEntries, mapEntries } from "../entries.js";

const slugForm = /^[a-z0-9][a-z0-9_-]{0,49}$/;

const slug = formed(slugForm, "a slug of small letters, digits, - and _ such as stock-low", "Its slug.");

const subscribers = field(
  z.union([z.string(), z.array(formShape(urlPattern))]),
  listOf(readUrl()),
  "Addresses that its events are posted to.",
);

/** `resthooks`: a list of slugs, or a map of slugs and subscribers. */
export const resthooksSchema: z.ZodType = z
  .union([z.array(slug), z.record(z.string(), subscribers.nullable())])
  .nullable();

/** Reads `resthooks`. */
export function readResthooks(reader: DocumentReader): ResthookData[] {
  if (!isMap(reader.at(["resthooks"]))) {
    return listEntries(reader, ["resthooks"]).flatMap(({ path }) => {
      const only = reader.read(slug, path);
      return only === undefined ? [] : [{ slug: only, subscribers: [] }];
    });
  }
  return mapEntries(reader, ["resthooks"]).flatMap(({ path, name }) => {
    if (!slugForm.test(name)) {
      reader.reportProblem(path, {
        code: "bad-name",
        message: `'${name}' is no slug: small letters, digits, - and _, 50 at most`,
        whole: true,
        on: "key",
      });
    }
    if (reader.at(path) === null) return [{ slug: name, subscribers: [] }];
    const given = reader.read(subscribers, path);
    return given === undefined ? [] : [{ slug: name, subscribers: given }];
  });
}
