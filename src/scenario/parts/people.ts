import type * as z from "zod";
import type { PeopleGroup } from "../../world/index.js";
import type { CastNames } from "../cast-names.js";
import { keyed, keysOf, type TextInput } from "../sheet/field.js";
import { count, formed, phone, selection, sender, share } from "../fields/fields.js";
import { span, texts, type VaryingInput } from "../fields/varying-fields.js";
import type { Sheet } from "../sheet/sheet.js";
import { suggest } from "../sheet/nearest.js";
import { checkCounter, checkSender, mostMembers } from "./phones.js";

const replies = keyed({
  chance: share("The share of texts heard that are answered.", { default: "100%" }).optional(),
  after: span("How long after hearing a text the answer is sent.", { default: "20s..2m" }).optional(),
  with: texts("What is answered."),
});

const people = keyed({
  count: count("How many there are.", { min: 1, max: mostMembers, default: 1 }).optional(),
  phone: phone("Their phone numbers: {000} is a counter of so many digits that starts at that number.").optional(),
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
  "picks-up": share("The share of calls from a handset that they answer.", { default: "0%" }).optional(),
});

/** The keys of a group of people. */
export const peopleKeys: readonly string[] = Object.keys(people.shape);

/** A group of people. */
export const peopleSchema: z.ZodType<unknown, PeopleInput> = people.meta(keysOf("oneOf", ["phone", "sender"]));

/** What the typed builder takes for a group of people. */
export interface PeopleInput {
  readonly count?: number | undefined;
  readonly phone?: string | undefined;
  readonly sender?: TextInput | undefined;
  readonly name?: VaryingInput | undefined;
  readonly language?: TextInput | undefined;
  readonly of?: string | undefined;
  readonly replies?:
    | {
        readonly chance?: string | undefined;
        readonly after?: VaryingInput<string> | undefined;
        readonly with: VaryingInput;
      }
    | undefined;
  readonly "picks-up"?: string | undefined;
}

/** Reads one group of people; undefined where it does not fit. */
export function readPeople(sheet: Sheet, name: string, names: CastNames): PeopleGroup | undefined {
  const path = ["people", name];
  const given = sheet.read(people, path);
  if (given === undefined) return undefined;
  if (given.phone !== undefined && given.sender !== undefined) {
    sheet.tell([...path, "sender"], {
      code: "not-together",
      message: "'phone' and 'sender' cannot both be",
      whole: true,
      on: "key",
      hint: "keep one of the two",
    });
  }
  const number = given.phone ?? given.sender;
  if (number === undefined) sheet.missing([...path, "phone"], 'write phone: "+2507811{00000}", or sender: MTN');
  if (given.phone !== undefined) checkCounter(sheet, path, given.phone, given.count ?? 1);
  else if (given.sender !== undefined) checkSender(sheet, path, given.sender, given.count ?? 1);
  const handsets = names.names("handsets");
  const [onlyHandsets] = handsets;
  if (given.of === undefined && handsets.length > 1) {
    sheet.missing([...path, "of"], () => suggest("", handsets));
  }
  const home = given.of ?? { group: onlyHandsets ?? "", text: onlyHandsets ?? "" };
  const of =
    onlyHandsets === undefined
      ? { group: "", from: 0, to: 0 }
      : names.select(home, "handsets", (problem) => sheet.tell([...path, "of"], problem));
  if (number === undefined) return undefined;
  return {
    name,
    count: given.count ?? 1,
    phone: number,
    ...(given.name !== undefined && { displayName: given.name }),
    ...(given.language !== undefined && { language: given.language }),
    of,
    ...(given.replies !== undefined && {
      replies: {
        chance: given.replies.chance ?? 1,
        after: given.replies.after ?? { kind: "uniform", min: 20_000, max: 120_000, whole: true },
        with: given.replies.with,
      },
    }),
    picksUp: given["picks-up"] ?? 0,
  };
}
