import type {
  CampaignData,
  CampaignEventData,
  CampaignStartMode,
  CampaignUnit,
  Translations,
} from "../../wire/index.js";
import { mentionOf } from "./dependency-collector.js";
import { legacySlug } from "./legacy-summary.js";
import { mapOf, type JsonCursor, textOf } from "./json-cursor.js";
import type { ExportContents } from "./export-contents.js";

const units: Readonly<Record<"M" | "H" | "D" | "W", CampaignUnit>> = {
  M: "minutes",
  H: "hours",
  D: "days",
  W: "weeks",
};

const startModes: Readonly<Record<"I" | "S" | "P", CampaignStartMode>> = { I: "interrupt", S: "skip", P: "passive" };

/** Dates of contacts, in addition to fields, from which a campaign can count (docs/reference/flows.md#campaigns). */
const systemKeys: ReadonlySet<string> = new Set(["created_on", "last_seen_on"]);

/** Reads a campaign of an export (docs/reference/flows.md#campaigns). Events with problems are left out. */
export function readCampaign(campaign: JsonCursor, contents: ExportContents): CampaignData | undefined {
  if (campaign.neededMap() === undefined) return undefined;
  const name = campaign.at("name").neededText();
  const group = mentionOf(campaign.at("group").value);
  const groupName = group === undefined ? undefined : contents.group(group);
  if (groupName === undefined) campaign.at("group").addProblem("must name a group");
  if (name === undefined || groupName === undefined) return undefined;
  const uuid = textOf(campaign.at("uuid").value);
  return {
    uuid,
    name,
    group: groupName,
    isArchived: false,
    events: campaign
      .at("events")
      .items()
      .flatMap((event) => readEvent(event, contents) ?? []),
  };
}

function readEvent(event: JsonCursor, contents: ExportContents): CampaignEventData | undefined {
  if (event.neededMap() === undefined) return undefined;
  const relativeTo = readRelativeTo(event.at("relative_to"), contents);
  const offset = event.at("offset").neededInteger({ min: -1e9, max: 1e9 });
  const unit = event.at("unit").oneOf(["M", "H", "D", "W"]);
  if (event.at("unit").isAbsent) event.at("unit").neededText();
  const deliveryHour = event.at("delivery_hour").isAbsent
    ? -1
    : event.at("delivery_hour").neededInteger({ min: -1, max: 23 });
  const action = readAction(event, contents);
  if (relativeTo === undefined || offset === undefined || unit === undefined) return undefined;
  if (deliveryHour === undefined || action === undefined) return undefined;
  const uuid = textOf(event.at("uuid").value);
  const startMode = event.at("start_mode").isAbsent ? undefined : event.at("start_mode").oneOf(["I", "S", "P"]);
  return {
    uuid,
    relativeTo,
    offset,
    unit: units[unit],
    deliveryHour,
    ...action,
    startMode: startMode === undefined ? undefined : startModes[startMode],
  };
}

/** The key of the field. An unlisted field is added as a date, since the event uses it as one. */
function readRelativeTo(part: JsonCursor, contents: ExportContents): string | undefined {
  const label = textOf(part.at("label").value) ?? textOf(part.at("name").value);
  const key = textOf(part.at("key").value) ?? (label === undefined ? undefined : legacySlug(label));
  if (key === undefined) return part.addProblem("must name a field by key or label");
  if (!systemKeys.has(key)) contents.field({ key, label: label ?? key, type: "datetime" });
  return key;
}

function readAction(
  event: JsonCursor,
  contents: ExportContents,
): Pick<CampaignEventData, "message" | "baseLanguage" | "flow" | "embeddedData"> | undefined {
  const type = event.at("event_type").value ?? (event.at("message").isAbsent ? "F" : "M");
  if (type === "M") {
    const message = readMessage(event);
    if (message === undefined) return undefined;
    const baseLanguage = textOf(event.at("base_language").value);
    const isTranslated = Object.keys(message).length > 1;
    const isWritten = isTranslated && baseLanguage !== undefined && Object.hasOwn(message, baseLanguage);
    return { message, ...(isWritten && { baseLanguage }), flow: null };
  }
  if (type !== "F") return event.at("event_type").addProblem("must be F (flow) or M (message)");
  const mention = mentionOf(event.at("flow").value);
  const flow = mention === undefined ? undefined : contents.flow(mention);
  if (flow === undefined) return event.at("flow").addProblem("names no flow of the export that could be read");
  const embeddedData = mapOf(event.at("embedded_data").value);
  return { message: null, flow, embeddedData };
}

/** Reads a text, or texts by language. */
function readMessage(event: JsonCursor): Translations | undefined {
  const message = event.at("message");
  if (typeof message.value === "string") {
    return { [textOf(event.at("base_language").value) ?? "base"]: message.value };
  }
  const texts = Object.entries(mapOf(message.value) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  if (texts.length === 0) return message.addProblem("must be a text, or texts by language");
  return Object.fromEntries(texts);
}
