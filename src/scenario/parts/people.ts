import * as z from "zod";
import type { Distribution } from "../../sim/index.js";
import type { AnswerHabit, PeopleGroup, ReplyHabit } from "../../world/index.js";
import type { CastNames } from "../cast-names.js";
import { type Field, field, keyed, keysOf, oneOrMore, type TextInput } from "../sheet/field.js";
import { listOf, readFilledText } from "../fields/values/scalar.js";
import { isList, keyConflict, type Path, type Read } from "../sheet/raw-value.js";
import { count, formed, pattern, phoneOrWithheld, selection, sender, share } from "../fields/fields.js";
import { readTexts, span, texts } from "../fields/varying-fields.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { suggest } from "../sheet/nearest.js";
import { checkCounter, checkSender, mostMembers } from "./phones.js";

/** A distribution of texts in which `20..60` draws a whole number, both ends included. */
function replyTexts(about: string): ReturnType<typeof texts> {
  const plain = texts(about);
  const read: Read<Distribution<string>> = (value, report) => {
    const [, min, max] = typeof value === "string" ? (/^(\d{1,9})\.\.(\d{1,9})$/.exec(value.trim()) ?? []) : [];
    if (min !== undefined && Number(min) <= Number(max))
      return { kind: "uniform", min: Number(min), max: Number(max), whole: true };
    return readTexts()(value, report);
  };
  return field(plain, read, about);
}

const replies = keyed({
  to: pattern("Only texts that match are answered; default: all.").optional(),
  chance: share("The share of texts heard that are answered.").prefault("100%"),
  after: span("How long after hearing a text the answer is sent.").prefault("20s..2m"),
  with: replyTexts("What is answered: texts, or whole numbers such as 20..60."),
});

const flowNames: Field<readonly string[] | "all", TextInput | readonly TextInput[]> = field(
  z.union([z.literal([true, "true"]), oneOrMore(z.string().regex(/\S/))]),
  (value, report) => (value === "true" ? "all" : listOf(readFilledText("a flow's name or UUID"))(value, report)),
  "The flows whose questions they answer: true, or names or UUIDs.",
);

const answers = keyed({
  flows: flowNames.prefault(true),
  right: share("Texts that reach a category of the question; default: the share that the others leave.").optional(),
  wrong: share("Texts that reach only the category for all other texts.").prefault("0%"),
  silent: share("No answer: waits time out and runs expire.").prefault("0%"),
  late: share("Right answers after late-after.").prefault("0%"),
  stop: share("The text STOP.").prefault("0%"),
  after: span("How long after the last text of a question the answer is sent.").prefault("5s..60s"),
  "late-after": span("How long after it a late answer is sent.").prefault("1h..1d"),
});

const people = keyed({
  count: count("How many there are.", { min: 1, max: mostMembers }).prefault(1),
  phone: phoneOrWithheld(
    "Their phone numbers: {000} is a counter with this number of digits that starts at this number. withheld: they hide them.",
  ).optional(),
  sender: sender("A short code or name instead of a phone number; empty: none.").optional(),
  name: texts("Their names.").optional(),
  language: formed(
    /^[a-z]{3}$/,
    "a language code of three letters such as kin",
    "Their language (ISO 639-3).",
  ).optional(),
  of: selection(
    "Their home handsets: person i of P belongs to handset floor(i * H / P) of the H selected; may be left out when there is one group.",
  ).optional(),
  replies: z
    .union([replies, z.array(replies).min(1)])
    .describe("Whether and how they answer texts; a list: as the first whose 'to' matches; without it they do not.")
    .optional(),
  answers: answers.describe("Whether and how they answer questions of flows; without it they do not.").optional(),
  "picks-up": share("The share of calls from a handset that they answer.").prefault("0%"),
});

/** Whether a group's people withhold their number. It reads the written keys, before the groups are parsed. */
export function isWithheld(reader: DocumentReader, name: string): boolean {
  const phone = reader.at(["people", name, "phone"]);
  const sender = reader.at(["people", name, "sender"]);
  return phone === "withheld" || (typeof sender === "string" && sender.trim() === "");
}

/** `replies` is read separately, because a failed union does not say which of its forms was meant. */
const peopleApart = people.extend({ replies: z.unknown().optional() });

/** The keys of a group of people. */
export const peopleKeys: readonly string[] = Object.keys(people.shape);

/** A group of people. */
export const peopleSchema = people.meta(keysOf("oneOf", ["phone", "sender"]));

/** What the typed builder takes for a group of people. */
export type PeopleInput = z.input<typeof peopleSchema>;

/** Reads one group of people; undefined if it is invalid. */
export function readPeople(reader: DocumentReader, name: string, names: CastNames): PeopleGroup | undefined {
  const path = ["people", name];
  const given = reader.read(peopleApart, path);
  const habits = readReplies(reader, [...path, "replies"]);
  if (given === undefined) return undefined;
  if (given.phone !== undefined && given.sender !== undefined) {
    reader.reportProblem(
      [...path, "sender"],
      keyConflict("'phone' and 'sender' cannot both be", "keep one of the two"),
    );
  }
  const number = given.phone ?? given.sender;
  if (number === undefined) reader.reportMissing([...path, "phone"], 'write phone: "+2507811{00000}", or sender: MTN');
  if (given.phone !== undefined && given.phone.prefix !== "") checkCounter(reader, path, given.phone, given.count);
  else if (given.sender !== undefined && given.sender.prefix !== "")
    checkSender(reader, path, given.sender, given.count);
  const handsets = names.groupNames("handsets");
  const [onlyHandsets] = handsets;
  if (given.of === undefined && handsets.length > 1) {
    reader.reportMissing([...path, "of"], () => suggest("", handsets));
  }
  const text = onlyHandsets ?? "";
  const home = given.of ?? { parts: [{ group: text, isEachTime: false, text }], text };
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
    replies: habits,
    answers: given.answers && habitOf(reader, [...path, "answers"], given.answers),
    picksUp: given["picks-up"],
  };
}

/** Reads one habit, or the valid ones of a list; undefined: there is none, or the only one is invalid. */
function readReplies(reader: DocumentReader, path: Path): PeopleGroup["replies"] {
  const written = reader.at(path);
  if (written === undefined) return undefined;
  if (!isList(written)) {
    const only = reader.read(replies, path);
    return only && habitWith(only);
  }
  if (written.length === 0) {
    reader.reportProblem(path, { code: "bad-value", message: "must not be an empty list", hint: "leave it out" });
  }
  return written.flatMap((_, index) => {
    const one = reader.read(replies, [...path, index]);
    return one === undefined ? [] : [habitWith(one)];
  });
}

/** A plain text becomes the regular expression that finds it. */
function habitWith({ to, ...rest }: z.output<typeof replies>): ReplyHabit {
  if (to === undefined) return rest;
  const { source, flags } =
    to.kind === "regexp" ? to : { source: to.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), flags: "" };
  return { to: { source, flags }, ...rest };
}

/** Completes the shares; reports shares that do not add up to 100%. */
function habitOf(reader: DocumentReader, path: Path, given: z.output<typeof answers>): AnswerHabit {
  const { flows, wrong, silent, late, stop } = given;
  // Shares are rounded to a millionth, so that 33.3% + 66.7% is 1.
  const rest = 1 - Math.round((wrong + silent + late + stop) * 1e6) / 1e6;
  const right = given.right ?? rest;
  const total = Math.round((1 - rest + right) * 1e4) / 100;
  if (rest < 0 || total !== 100) {
    reader.reportProblem(path, {
      code: "out-of-range",
      message: `the shares of answers must add up to 100%, got ${rest < 0 ? Math.round((1 - rest) * 1e4) / 100 : total}%`,
      whole: true,
      on: "key",
      hint: rest < 0 ? "lower one of wrong, silent, late and stop" : "leave 'right' out: it is what the others leave",
    });
  }
  return {
    ...(flows !== "all" && { flows: flows.map((flow) => flow.trim().toLowerCase()) }),
    shares: { right, wrong, silent, late, stop },
    after: given.after,
    lateAfter: given["late-after"],
  };
}
