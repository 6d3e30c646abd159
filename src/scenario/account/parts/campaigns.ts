import * as z from "zod";
import {
  type CampaignData,
  type CampaignEventData,
  type CampaignUnit,
  campaignStartModes,
  campaignUnits,
  type Translations,
} from "../../../wire/index.js";
import { field, keyed } from "../../sheet/field.js";
import { filledText, flag, formShape, word } from "../../fields/fields.js";
import { nearest } from "../../sheet/nearest.js";
import { plainValueOf } from "../../sheet/plain-value.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { readFilledText, scalar } from "../../fields/values/scalar.js";
import { keyConflict, isMap, type Path, type Read, describeValue } from "../../sheet/raw-value.js";
import { listEntries } from "../entries.js";
import { dataMap, language, nameField, uuid } from "../account-fields.js";

/** How far from the field's date an event is. */
interface Offset {
  readonly offset: number;
  readonly unit: CampaignUnit;
}

/** `3 days`, `-2 hours`, `1 week`. */
const readOffset: Read<Offset> = scalar("an offset such as 3 days or -2 hours", (text, report) => {
  const [, number = "", word = ""] = /^([+-]?\d+)\s+([a-z]+)$/.exec(text) ?? [];
  const unit = campaignUnits.find((one) => one === word || one === `${word}s`);
  if (unit !== undefined && Math.abs(Number(number)) <= 1e9) return { offset: Number(number), unit };
  report({
    code: /^[+-]?\d+/.test(text) ? "wrong-unit" : "bad-value",
    message: `must be an offset such as 3 days or -2 hours, got ${describeValue(text)}`,
    hint: offsetHint(text),
  });
  return undefined;
});

function offsetHint(text: string): string {
  const [, number, word = ""] = /^([+-]?\d+)\s*([a-z]*)$/i.exec(text) ?? [];
  const letters = new Map<string, CampaignUnit>([
    ["m", "minutes"],
    ["h", "hours"],
    ["d", "days"],
    ["w", "weeks"],
  ]);
  const unit = letters.get(word.toLowerCase()) ?? nearest(word, campaignUnits);
  if (number !== undefined && unit !== undefined) return `write ${number} ${unit}`;
  return `the units are ${campaignUnits.join(", ")}`;
}

const offset = field(
  formShape(/^[+-]?[0-9]+\s+(minute|hour|day|week)s?$/, "3 days", "-2 hours"),
  readOffset,
  "How long after the field's date; negative: before it.",
);

/** -1 means the hour of the field's value (docs/reference/service-api.md#campaign-events). */
const readHour: Read<number> = scalar("an hour 0..23, or same", (text, report) => {
  if (text === "same" || text === "-1") return -1;
  if (/^\d{1,2}$/.test(text) && Number(text) <= 23) return Number(text);
  report({ code: "out-of-range", message: `must be an hour 0..23, or same, got ${describeValue(text)}` });
  return undefined;
});

const hour = field(
  z.union([z.int().min(-1).max(23), z.literal("same")]),
  readHour,
  "The hour of day at which it happens; same: that of the field's value.",
).prefault("same");

/** A text, under the name `base` for the primary language; or texts by language. */
const readMessage: Read<Translations> = (value, report) => {
  if (!isMap(value)) {
    const text = readFilledText("a text")(value, report);
    return text === undefined ? undefined : { base: text };
  }
  const texts = Object.entries(value).map(([language, written]) => {
    const inside: typeof report = (problem) => report({ ...problem, path: [language] });
    if (!/^([a-z]{3}|base)$/.test(language)) {
      inside({
        code: "bad-value",
        message: `${describeValue(language)} is no language code: three letters, or base`,
        whole: true,
        on: "key",
      });
      return undefined;
    }
    const text = readFilledText("a text")(written, inside);
    return text === undefined ? undefined : ([language, text] as const);
  });
  if (texts.length === 0)
    report({ code: "missing-key", message: "has nothing in it", hint: "write fra: … for each language" });
  const all = texts.filter((one) => one !== undefined);
  return all.length === 0 || all.length < texts.length ? undefined : Object.fromEntries(all);
};

/** The text that a broadcast or campaign sends, or texts by language. */
export const message = field(
  z.union([
    z.string().regex(/\S/),
    z.record(z.string().regex(/^([a-z]{3}|base)$/), z.string()).meta({ minProperties: 1 }),
  ]),
  readMessage,
  "The text that is sent; or texts by language.",
);

const event = keyed({
  uuid: uuid("Its UUID; without it, one that the seed determines.").optional(),
  "relative-to": filledText("The key of the field whose date it counts from; also created_on, last_seen_on."),
  offset,
  "delivery-hour": hour,
  message: message.optional(),
  "base-language": language(
    "The language of message for contacts whose language it lacks; default: the primary one, else its first.",
  ).optional(),
  flow: filledText("The flow that is started: name or UUID.").optional(),
  "embedded-data": dataMap("What the flow reads as @embed.").optional(),
  "start-mode": word(campaignStartModes, "What happens to a contact who is in a flow.").prefault("interrupt"),
});

const campaign = keyed({
  name: nameField("Its name.", { max: 255 }),
  uuid: uuid("Its UUID; without it, one that the seed determines.").optional(),
  group: filledText("The group whose members it is for: name or UUID."),
  archived: flag("Whether it is archived.").prefault(false),
  events: z.array(event).describe("What happens to them when.").optional(),
});

/** `campaigns`: a list. */
export const campaignsSchema: z.ZodType = z.array(campaign).nullable();

/** The events are read separately, so that a problem in one does not hide problems in others. */
const campaignApart = campaign.extend({ events: z.unknown().optional() });

/** Reads `campaigns`. A text without a language counts as one in the primary language. */
export function readCampaigns(reader: DocumentReader, primaryLanguage: string | null): CampaignData[] {
  return listEntries(reader, ["campaigns"]).flatMap(({ path }) => {
    const given = reader.read(campaignApart, path);
    const events = listEntries(reader, [...path, "events"]).flatMap(
      (entry) => readEvent(reader, entry.path, primaryLanguage) ?? [],
    );
    if (given === undefined) return [];
    return [
      {
        uuid: given.uuid,
        name: given.name,
        group: given.group.trim(),
        isArchived: given.archived,
        events,
      },
    ];
  });
}

/** Assigns the text without a language to the primary language, if there is one. */
export function inLanguages({ base, ...texts }: Translations, primaryLanguage: string | null): Translations {
  return base === undefined ? texts : { [primaryLanguage ?? "base"]: base, ...texts };
}

function readEvent(reader: DocumentReader, path: Path, primaryLanguage: string | null): CampaignEventData | undefined {
  const given = reader.read(event, path);
  if (given === undefined) return undefined;
  if (given.message !== undefined && given.flow !== undefined) {
    reader.reportProblem(
      [...path, "flow"],
      keyConflict("'message' and 'flow' cannot both be", "make two events of them"),
    );
  }
  if (given.message === undefined && given.flow === undefined) {
    reader.reportMissing([...path, "message"], "write message: … or flow: …");
  }
  const translations = inLanguages(given.message ?? {}, primaryLanguage);
  const [base, embedded] = [given["base-language"], reader.tree([...path, "embedded-data"])];
  for (const [key, of] of [
    ["base-language", "message"],
    ["embedded-data", "flow"],
  ] as const) {
    if (given[key] !== undefined && given[of] === undefined)
      reader.reportProblem([...path, key], keyConflict(`'${key}' needs '${of}'`, `write ${of}: …, or remove it`));
  }
  if (base !== undefined && given.message !== undefined && !Object.hasOwn(translations, base)) {
    reader.reportProblem([...path, "base-language"], {
      code: "unknown-reference",
      message: `is not among the languages of the message: '${base}'`,
    });
  }
  return {
    uuid: given.uuid,
    relativeTo: given["relative-to"].trim(),
    ...given.offset,
    deliveryHour: given["delivery-hour"],
    message: given.message === undefined ? null : translations,
    ...(base !== undefined && { baseLanguage: base }),
    flow: given.flow?.trim() ?? null,
    ...(embedded !== undefined && { embeddedData: plainValueOf(embedded) as CampaignEventData["embeddedData"] }),
    startMode: given["start-mode"],
  };
}
