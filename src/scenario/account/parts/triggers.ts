import * as z from "zod";
import type { TriggerData } from "../../../wire/index.js";
import { field, keyed } from "../../sheet/field.js";
import { filledText, spelledShape, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { scalar } from "../../fields/values/scalar.js";
import { keyConflict, type Path, type Read, describeValue } from "../../sheet/raw-value.js";
import { listEntries } from "../entries.js";
import { someContacts, textList, uuid } from "../account-fields.js";
import { scheduleOf, scheduleShape } from "./schedules.js";

/** The words for the letters of triggers (docs/reference/flows.md#triggers). */
const letters = {
  keyword: "K",
  "catch-all": "C",
  "missed-call": "M",
  "incoming-call": "V",
  "new-conversation": "N",
  referral: "R",
  "closed-ticket": "T",
  schedule: "S",
} as const;
type TriggerKind = keyof typeof letters;
const kinds = Object.keys(letters) as [TriggerKind, ...TriggerKind[]];

/**
 * One word of letters and digits, or one emoji, at most 16 characters; kept in lower case
 * (docs/reference/flows.md#triggers).
 */
const readKeyword: Read<string> = scalar("a keyword", (text, report) => {
  const keyword = text.toLowerCase();
  if (/^([\p{L}\p{M}\p{N}_]{1,16}|\p{Extended_Pictographic}\p{M}*)$/u.test(keyword)) return keyword;
  report({
    code: "bad-value",
    message: `must be one word of at most 16 letters and digits, or an emoji, got ${describeValue(text)}`,
  });
  return undefined;
});

const keyword = field(
  spelledShape(/^\S{1,16}$/),
  readKeyword,
  "The word by which a text starts the flow, in any case.",
);

const trigger = keyed({
  keyword: keyword.optional(),
  type: word(kinds, "What starts the flow; default: the keyword.", { noun: "a kind of trigger" }).optional(),
  match: word(["first", "only"], "Whether the keyword is the first word of the text or the only one.").prefault(
    "first",
  ),
  flow: filledText("The flow that is started: name or UUID."),
  groups: textList("Only for members of these groups: names or UUIDs.").optional(),
  "exclude-groups": textList("Not for members of these groups: names or UUIDs.").optional(),
  channel: uuid("The UUID of the channel that it applies to; without it, any.").optional(),
  contacts: someContacts("Contacts whom a schedule starts, too: phone numbers, addresses or UUIDs.").optional(),
  schedule: scheduleShape.optional(),
});

/** `triggers`: a list. */
export const triggersSchema: z.ZodType = z.array(trigger).nullable();

/** Reads `triggers`. */
export function readTriggers(reader: DocumentReader): TriggerData[] {
  return listEntries(reader, ["triggers"]).flatMap(({ path }) => {
    const given = reader.read(trigger, path);
    if (given === undefined) return [];
    const kind = given.type ?? "keyword";
    if (kind === "keyword" && given.keyword === undefined) {
      reader.reportMissing([...path, "keyword"], "write keyword: join, or another type");
    }
    for (const key of ["keyword", "match"] as const) {
      if (kind !== "keyword" && reader.at([...path, key]) !== undefined) {
        reportConflict(reader, path, key, kind);
      }
    }
    if (kind === "schedule" && given.schedule === undefined)
      reader.reportMissing([...path, "schedule"], "write schedule: { start: 2026-03-09 08:00 }");
    for (const key of kind === "schedule" ? (["channel"] as const) : (["schedule", "contacts"] as const)) {
      if (reader.at([...path, key]) !== undefined) reportConflict(reader, path, key, kind);
    }
    const schedule = given.schedule && scheduleOf(given.schedule, reader, [...path, "schedule"]);
    const data: TriggerData = {
      type: letters[kind],
      keyword: given.keyword ?? null,
      matchType: given.match === "only" ? "O" : "F",
      flow: given.flow.trim(),
      groups: given.groups ?? [],
      excludeGroups: given["exclude-groups"] ?? [],
      channel: given.channel ?? null,
      contacts: given.contacts,
      schedule,
    };
    return [data];
  });
}

function reportConflict(reader: DocumentReader, path: Path, key: string, kind: TriggerKind): void {
  reader.reportProblem(
    [...path, key],
    keyConflict(`'${key}' cannot be used with type: ${kind}`, "remove one of the two"),
  );
}
