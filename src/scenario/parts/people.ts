import type * as z from "zod";
import type { PeopleGroup } from "../../world/index.js";
import type { CastNames } from "../cast-names.js";
import { keyed, keysOf } from "../sheet/field.js";
import { count, formed, phone, selection, sender, share } from "../fields/fields.js";
import { span, texts } from "../fields/varying-fields.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { suggest } from "../sheet/nearest.js";
import { checkCounter, checkSender, mostMembers } from "./phones.js";

const replies = keyed({
  chance: share("The share of texts heard that are answered.").prefault("100%"),
  after: span("How long after hearing a text the answer is sent.").prefault("20s..2m"),
  with: texts("What is answered."),
});

const people = keyed({
  count: count("How many there are.", { min: 1, max: mostMembers }).prefault(1),
  phone: phone(
    "Their phone numbers: {000} is a counter with this number of digits that starts at this number.",
  ).optional(),
  sender: sender("A short code or name instead of a phone number.").optional(),
  name: texts("Their names.").optional(),
  language: formed(
    /^[a-z]{3}$/,
    "a language code of three letters such as kin",
    "Their language (ISO 639-3).",
  ).optional(),
  of: selection(
    "Their home handsets: person i of P belongs to handset floor(i * H / P) of the H selected; may be left out when there is one group.",
  ).optional(),
  replies: replies.describe("Whether and how they answer texts; without it they do not.").optional(),
  "picks-up": share("The share of calls from a handset that they answer.").prefault("0%"),
});

/** The keys of a group of people. */
export const peopleKeys: readonly string[] = Object.keys(people.shape);

/** A group of people. */
export const peopleSchema = people.meta(keysOf("oneOf", ["phone", "sender"]));

/** What the typed builder takes for a group of people. */
export type PeopleInput = z.input<typeof peopleSchema>;

/** Reads one group of people; undefined if it is invalid. */
export function readPeople(reader: DocumentReader, name: string, names: CastNames): PeopleGroup | undefined {
  const path = ["people", name];
  const given = reader.read(people, path);
  if (given === undefined) return undefined;
  if (given.phone !== undefined && given.sender !== undefined) {
    reader.reportProblem([...path, "sender"], {
      code: "not-together",
      message: "'phone' and 'sender' cannot both be",
      whole: true,
      on: "key",
      hint: "keep one of the two",
    });
  }
  const number = given.phone ?? given.sender;
  if (number === undefined) reader.reportMissing([...path, "phone"], 'write phone: "+2507811{00000}", or sender: MTN');
  if (given.phone !== undefined) checkCounter(reader, path, given.phone, given.count);
  else if (given.sender !== undefined) checkSender(reader, path, given.sender, given.count);
  const handsets = names.groupNames("handsets");
  const [onlyHandsets] = handsets;
  if (given.of === undefined && handsets.length > 1) {
    reader.reportMissing([...path, "of"], () => suggest("", handsets));
  }
  const home = given.of ?? { group: onlyHandsets ?? "", text: onlyHandsets ?? "" };
  const of =
    onlyHandsets === undefined
      ? { group: "", from: 0, to: 0 }
      : names.resolveSelection(home, "handsets", (problem) => reader.reportProblem([...path, "of"], problem));
  if (number === undefined) return undefined;
  return {
    name,
    count: given.count,
    phone: number,
    displayName: given.name,
    language: given.language,
    of,
    replies: given.replies,
    picksUp: given["picks-up"],
  };
}
