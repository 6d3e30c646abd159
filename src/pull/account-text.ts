import { parse, resolve } from "node:path";
import { stringify } from "yaml";
import {
  type AccountData,
  type BoundaryData,
  type CampaignEventData,
  type ContactData,
  isE164,
  onOneLine,
  phoneOfUrn,
} from "../wire/index.js";
import type { PulledAccount } from "./account-of-records.js";

/** A file of a pulled account. */
export interface AccountFileText {
  readonly path: string;
  readonly text: string;
}

/** Words of the file's head. */
export interface AccountHead {
  /** Sentences for the comment at the top. */
  readonly comments: readonly string[];
  /** Characters of contacts in one file. */
  readonly contactsLengthMax?: number | undefined;
}

/**
 * Characters of contacts in one file, and their number: an account file has 8 MiB and 100,000 contacts at most. Further
 * contacts are in files that add to the account.
 */
const CONTACTS_LENGTH_MAX = 6 * 2 ** 20;
const CONTACTS_MAX = 90_000;

/** Letters of triggers as words. */
const triggerWords: Readonly<Record<string, string>> = {
  K: "keyword",
  C: "catch-all",
  M: "missed-call",
  V: "incoming-call",
  N: "new-conversation",
  R: "referral",
  T: "closed-ticket",
};

/**
 * The files of an account, the account file last: flows as JSON files in a folder beside it, boundaries as GeoJSON, more
 * contacts than one file may have.
 *
 * @param output - path of the account file
 */
export function accountTexts(
  { data, brokenFlows, channels }: PulledAccount,
  output: string,
  { comments, contactsLengthMax = CONTACTS_LENGTH_MAX }: AccountHead,
): readonly AccountFileText[] {
  const { dir, name } = parse(output);
  const beside = (file: string): string => resolve(dir, file);
  const used = new Set<string>();
  const flowFile = (called: string): string => {
    const slug = slugOf(called);
    let file = slug;
    for (let count = 2; used.has(file); count++) file = `${slug}-${count}`;
    used.add(file);
    return `${name}-flows/${file}.json`;
  };
  const flows = data.flows.map((flow) => ({ flow, file: flowFile(flow.name) }));
  const broken = brokenFlows.map((flow) => ({ flow, file: flowFile(flow.name) }));
  const boundaries = data.boundaries.length === 0 ? undefined : `${name}-boundaries.geojson`;
  const [first = [], ...others] = inParts(data.contacts.map(contactLine), contactsLengthMax);
  const more = others.map((lines, place) => ({ file: `${name}-contacts-${place + 2}.yaml`, lines }));
  const head = [
    ...comments,
    ...channels.map(
      (one) => `Channel: ${[one.name, one.address, one.type, one.uuid ?? ""].filter((part) => part !== "").join(", ")}`,
    ),
    ...more.map(({ file }) => `More contacts are in ${file}: name both files, this one first.`),
    ...broken.map(({ flow, file }) => `Left out: flow '${flow.name}' (${file}): ${flow.why}`),
  ];
  const parts = {
    account: headOf(data),
    fields: Object.fromEntries(data.fields.map(({ key = "", label, type }) => [key, { label, type }])),
    groups: data.groups.map(({ name: group, query, uuid }) => given({ name: group, query, uuid })),
    labels: data.labels.map(({ name: label, uuid }) => given({ name: label, uuid })),
    globals: data.globals ?? {},
    resthooks: Object.fromEntries(data.resthooks.map(({ slug, subscribers }) => [slug, subscribers])),
    flows: flows.map(({ flow, file }) =>
      given({ file, labels: filled(flow.labels), archived: flow.isArchived || undefined }),
    ),
    campaigns: data.campaigns.map((campaign) => campaignOf(campaign, data)),
    triggers: data.triggers.map((trigger) => triggerOf(trigger, data)),
    ...(boundaries !== undefined && { boundaries: { file: boundaries } }),
  };
  const written = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  const body = written.map(([key, part]) => partText(key, part)).join("\n");
  const contacts = first.length === 0 ? "" : `\ncontacts:\n${first.join("")}`;
  return [
    ...flows.map(({ flow, file }) => ({ path: beside(file), text: json(flow.definition) })),
    ...broken.map(({ flow, file }) => ({ path: beside(file), text: json(flow.definition) })),
    ...(boundaries === undefined ? [] : [{ path: beside(boundaries), text: json(geoJsonOf(data.boundaries)) }]),
    ...more.map(({ file, lines }) => ({
      path: beside(file),
      text: `# More contacts of ${name}.yaml.\naccount: existing\ncontacts:\n${lines.join("")}`,
    })),
    { path: resolve(output), text: `${head.map((line) => `# ${onOneLine(line)}\n`).join("")}${body}${contacts}` },
  ];
}

/** A part in block style, whose entries are on a line each. */
function partText(key: string, part: object): string {
  if (key === "account" || key === "campaigns" || key === "globals" || key === "boundaries" || key === "resthooks")
    return stringify({ [key]: part }, { lineWidth: 0 });
  if (Array.isArray(part)) return `${key}:\n${part.map((one: unknown) => `  - ${oneLine(one)}`).join("")}`;
  return `${key}:\n${Object.entries(part)
    .map(([name, one]) => `  ${flowText(name)}: ${oneLine(one)}`)
    .join("")}`;
}

/** A value as YAML on one line. A library breaks such lines where a text has a line end, and is ten times slower. */
function oneLine(value: unknown): string {
  return `${flowText(value)}\n`;
}

function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0) return "{}";
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${flowText(key)}: ${flowText(one)}`)
      .join(", ")} }`;
  if (typeof value !== "string") return JSON.stringify(value);
  if (uuidForm.test(value)) return value; // its hyphens make it a text
  const isPlain = /^\p{L}[\p{L}\p{M}\p{N} _./-]*$/u.test(value) && !value.endsWith(" ");
  if (isPlain && !/^(?:true|false|null|yes|no|on|off|[yn])$/i.test(value)) return value;
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function headOf({ organisation = {} }: AccountData): object {
  const {
    name,
    uuid,
    country,
    languages = [],
    primaryLanguage,
    timezone,
    dateStyle,
    isAnonymous,
    credits,
  } = organisation;
  return given({
    name,
    uuid,
    country,
    languages: filled(languages),
    "primary-language": primaryLanguage,
    timezone,
    "date-style": dateStyle,
    anonymous: isAnonymous || undefined,
    credits,
  });
}

function contactLine({ uuid, name, language, urns, groups, fields, state }: ContactData): string {
  const [first = "", ...rest] = urns;
  const phone = phoneOfUrn(first);
  // An account file puts the phone before the other addresses.
  const isPhone = phone !== undefined && isE164(phone) && first === `tel:${phone}`;
  const contact = given({
    name,
    phone: isPhone ? phone : undefined,
    urns: filled(isPhone ? rest : urns),
    uuid,
    language,
    groups: filled(groups),
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    state: state === "active" ? undefined : state,
  });
  return `  - ${oneLine(contact)}`;
}

function campaignOf(
  { name, uuid, group, isArchived, events }: AccountData["campaigns"][number],
  account: AccountData,
): object {
  return given({
    name,
    uuid,
    group,
    archived: isArchived || undefined,
    events: filled(
      events.map((event) =>
        given({
          uuid: event.uuid,
          "relative-to": event.relativeTo,
          offset: offsetText(event),
          "delivery-hour": event.deliveryHour === -1 ? undefined : event.deliveryHour,
          message: event.message,
          "base-language": event.baseLanguage === defaultBase(event, account) ? undefined : event.baseLanguage,
          flow: event.flow === null ? undefined : flowName(event.flow, account),
          "embedded-data": event.embeddedData,
          "start-mode": event.startMode === "interrupt" ? undefined : event.startMode,
        }),
      ),
    ),
  });
}

function offsetText({ offset, unit }: CampaignEventData): string {
  return `${offset} ${Math.abs(offset) === 1 ? unit.slice(0, -1) : unit}`;
}

/** The language of a message that the service would take by itself. */
function defaultBase({ message }: CampaignEventData, { organisation }: AccountData): string | undefined {
  const primary = organisation?.primaryLanguage ?? undefined;
  if (message === null) return undefined;
  return primary !== undefined && Object.hasOwn(message, primary) ? primary : Object.keys(message)[0];
}

/** The name of a flow, or its UUID if another one has the same name. */
function flowName(uuid: string, { flows }: AccountData): string {
  const name = flows.find((flow) => flow.uuid === uuid)?.name ?? "";
  const isUnique = flows.filter((flow) => flow.name.toLowerCase() === name.toLowerCase()).length === 1;
  return isUnique && name !== "" ? name : uuid;
}

function triggerOf(trigger: AccountData["triggers"][number], account: AccountData): object {
  const isKeyword = trigger.type === "K";
  return given({
    keyword: isKeyword ? trigger.keyword : undefined,
    type: isKeyword ? undefined : triggerWords[trigger.type],
    match: isKeyword && trigger.matchType === "O" ? "only" : undefined,
    flow: flowName(trigger.flow, account),
    groups: filled(trigger.groups),
    "exclude-groups": filled(trigger.excludeGroups),
    channel: trigger.channel,
  });
}

/** Boundaries as the account file reads them, the country first. */
function geoJsonOf(boundaries: readonly BoundaryData[]): object {
  const features: object[] = [];
  const add = (parts: readonly BoundaryData[], parent: string | null): void => {
    for (const { osmId, name, aliases, geometry, parts: inner } of parts) {
      features.push({ type: "Feature", properties: { osm_id: osmId, name, parent, aliases }, geometry });
      add(inner, osmId);
    }
  };
  add(boundaries, null);
  return { type: "FeatureCollection", features };
}

function inParts(lines: readonly string[], lengthMax: number): string[][] {
  const parts: string[][] = [];
  let length = Infinity;
  for (const line of lines) {
    const last = parts.at(-1);
    if (last === undefined || length + line.length > lengthMax || last.length >= CONTACTS_MAX) {
      parts.push([line]);
      length = line.length;
    } else {
      last.push(line);
      length += line.length;
    }
  }
  return parts;
}

function given(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `Stock check` → `stock-check`; a name without Latin letters → `flow`. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 48);
  return slug === "" ? "flow" : slug;
}
