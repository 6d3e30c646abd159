import type { TriggerData } from "../../wire/index.js";
import { mentionOf } from "./gatherer.js";
import { mapOf, type Part, shown, textOf } from "./part.js";
import type { Registry } from "./registry.js";

/** The types of triggers but schedules, which exports leave out (flows.md 13). */
const types = ["K", "C", "M", "V", "N", "R", "T", "F", "U"] as const;

/** A trigger of an export (flows.md 13; service-api.md 2.9); undefined when it was told and left out. */
export function readTrigger(trigger: Part, registry: Registry): TriggerData | undefined {
  if (trigger.map() === undefined) return undefined;
  const typePart = trigger.at("trigger_type");
  if (typePart.value === "S") return typePart.tell("is a schedule, which exports do not carry: it is left out");
  const type = typePart.word(types);
  if (typePart.isAbsent) typePart.neededText();
  const mention = mentionOf(trigger.at("flow").value);
  const flow = mention === undefined ? undefined : registry.flow(mention);
  if (flow === undefined) trigger.at("flow").tell("names no flow of the export that could be read");
  const keyword = type === "K" ? readKeyword(trigger.at("keyword")) : null;
  if (type === undefined || flow === undefined || keyword === undefined) return undefined;
  return {
    type,
    keyword,
    matchType: trigger.at("match_type").value === "O" ? "O" : "F",
    flow,
    groups: readGroups(trigger.at("groups"), registry),
    excludeGroups: readGroups(trigger.at("exclude_groups"), registry),
    channel: readChannel(trigger.at("channel")),
  };
}

/** One word of letters and digits, or one emoji, at most 16 characters; kept in lower case (flows.md 13). */
function readKeyword(part: Part): string | undefined {
  const keyword = part.neededText()?.trim().toLowerCase();
  if (keyword === undefined) return undefined;
  if (isKeyword(keyword)) return keyword;
  return part.tell(`must be one word of at most 16 letters and digits, or an emoji, got ${shown(keyword)}`);
}

/** Whether a text in lower case can be a keyword. */
function isKeyword(text: string): boolean {
  return /^([\p{L}\p{M}\p{N}_]{1,16}|\p{Extended_Pictographic}\p{M}*)$/u.test(text);
}

function readGroups(list: Part, registry: Registry): string[] {
  return list.items().flatMap((group) => {
    const mention = mentionOf(group.value);
    return (mention === undefined ? undefined : registry.group(mention)) ?? group.tell("must name a group") ?? [];
  });
}

/** A UUID, also as `{uuid, name}`; a number is the id of old versions, and means nothing here. */
function readChannel(part: Part): string | null {
  if (part.isAbsent) return null;
  const { value } = part;
  const uuid = typeof value === "string" ? value : textOf(mapOf(value)?.["uuid"]);
  if (uuid === undefined) part.tell("names no channel by UUID: the trigger holds for any");
  return uuid ?? null;
}
