import * as z from "zod";
import { exitTypes, type RunData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { duration, filledText, text, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { listEntries } from "../entries.js";
import { nameField, contactReference, textList } from "../account-fields.js";

const result = keyed({
  value: text("What was saved."),
  category: nameField("How it was categorised.", { max: 36 }),
  input: text("The text that it came from; default: the value.").optional(),
  node: filledText("The UUID of the node that saved it."),
});

const run = keyed({
  flow: filledText("The flow: name or UUID."),
  contact: contactReference("The contact: phone number, address or UUID."),
  ago: duration("How long before the account is loaded it began."),
  lasted: duration("Its duration; at most `ago`.").prefault("0s"),
  exit: word(exitTypes, "How it ended; without it, it still waits.").optional(),
  path: textList("The UUIDs of the nodes that it visited.").optional(),
  results: z.record(z.string(), result).describe("What it saved, by the results' names.").optional(),
});

/** `runs`: a list. */
export const runsSchema: z.ZodType = z.array(run).nullable();

/** Reads `runs`, sorted oldest first. */
export function readRuns(reader: DocumentReader): RunData[] {
  return listEntries(reader, ["runs"])
    .flatMap(({ path }): RunData[] => {
      const given = reader.read(run, path);
      if (given === undefined) return [];
      const { lasted: lastedMs } = given;
      if (lastedMs > given.ago) {
        reader.reportProblem([...path, "lasted"], {
          code: "out-of-range",
          message: "is longer than the time since the run began",
          hint: "make 'ago' longer",
        });
      }
      const results = Object.entries(given.results ?? {}).map(([name, one]) => ({
        name,
        value: one.value,
        category: one.category,
        input: one.input ?? one.value,
        node: one.node,
      }));
      const { flow, contact, ago: agoMs, exit = null, path: steps = [] } = given;
      return [{ flow: flow.trim(), contact, agoMs, lastedMs, exit, path: steps, results }];
    })
    .toSorted((a, b) => b.agoMs - a.agoMs);
}
