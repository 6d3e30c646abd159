import { ownValue } from "../../../wire/index.js";
import { legacySchemes } from "./schemes.js";

/** What a path becomes; `isDay`: a day without time, which templates show in the date format of the organisation. */
interface NativePath {
  readonly text: string;
  readonly isDay?: boolean;
}

const contactProperties: ReadonlySet<string> = new Set(["uuid", "id", "name", "first_name", "created_on", "language"]);

const resultProperties: Readonly<Record<string, string>> = {
  value: "value",
  category: "category_localized",
  text: "input",
  time: "created_on",
};

const channelProperties: Readonly<Record<string, string>> = {
  "": "contact.channel.address",
  address: "contact.channel.address",
  tel: "contact.channel.address",
  tel_e164: "contact.channel.address",
  name: "contact.channel.name",
};

const days: Readonly<Record<string, NativePath>> = {
  "": { text: "now()" },
  now: { text: "now()" },
  today: { text: "today()", isDay: true },
  tomorrow: { text: 'datetime_add(now(), 1, "D")', isDay: true },
  yesterday: { text: 'datetime_add(now(), -1, "D")', isDay: true },
};

const stepProperties: Readonly<Record<string, string>> = {
  "": "input",
  value: "input",
  text: "input.text",
  time: "input.created_on",
  attachments: 'foreach(foreach(input.attachments, attachment_parts), extract, "url")',
};

/** Keys of fields and results are plain words; other names stay as they are. */
const word = /^\w+$/;

/**
 * The native expression for a path of the legacy context (docs/reference/flows.md#legacy-expressions). A path that the
 * legacy context does not have stays, in lower case.
 *
 * @param keepsDates - whether `date.today` and its neighbours stay dates instead of formatted text
 */
export function migratePath(path: string, keepsDates: boolean): string {
  const lower = path.toLowerCase();
  const native = nativePath(lower.split("."));
  if (native === undefined) return lower;
  const text = native.isDay === true && !keepsDates ? `format_date(${native.text})` : native.text;
  return bracketNumbers(text);
}

function nativePath(names: readonly string[]): NativePath | undefined {
  const text = contactPath(names);
  if (text !== undefined) return { text };
  const [root = "", ...rest] = names;
  switch (root) {
    case "flow":
      return asPath(resultPath("results", rest));
    case "child":
      return asPath(resultPath("child.results", rest));
    case "parent":
      return asPath(resultPath("parent.results", rest));
    case "step":
      return asPath(stepPath(rest));
    case "channel":
      return asPath(single(channelProperties, rest));
    case "date":
      return rest.length > 1 ? undefined : ownValue(days, rest[0] ?? "");
    case "extra":
      return asPath(extraPath(rest));
    default:
      return undefined;
  }
}

function asPath(text: string | undefined): NativePath | undefined {
  return text === undefined ? undefined : { text };
}

/** @returns the entry of the only name; of `""` when there is none */
function single(table: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  return names.length > 1 || names[0] === "" ? undefined : ownValue(table, names[0] ?? "");
}

/** Properties of the contact, of the parent's or of the child's: `contact.x`, `step.contact.x`, `parent.contact.x`. */
function contactPath(names: readonly string[]): string | undefined {
  const start = names[0] === "flow" || names[0] === "step" ? 1 : 0;
  const relation = names[start] === "parent" || names[start] === "child" ? names[start] : undefined;
  const rest = names.slice(relation === undefined ? start : start + 1);
  if (rest[0] !== "contact") return undefined;
  const owner = relation === undefined ? "" : `${relation}.`;
  const [, property, part, ...more] = rest;
  if (more.length > 0) return undefined;
  if (property === undefined) return `${owner}contact`;
  if (part !== undefined) return addressPart(owner, property, part);
  if (contactProperties.has(property)) return `${owner}contact.${property}`;
  if (property === "groups") return `join(${owner}contact.groups, ",")`;
  if (property === "tel") return `format_urn(${owner}urns.tel)`;
  if (property === "tel_e164") return addressPath(owner, "tel");
  if (legacySchemes.has(property)) return addressPath(owner, property);
  return word.test(property) ? `${owner}fields.${property}` : undefined;
}

function addressPath(owner: string, scheme: string): string {
  return `default(urn_parts(${owner}urns.${scheme}).path, "")`;
}

function addressPart(owner: string, scheme: string, part: string): string | undefined {
  if (!legacySchemes.has(scheme)) return undefined;
  const urn = `${owner}urns.${scheme}`;
  if (part === "display") return `format_urn(${urn})`;
  if (part === "urn") return urn;
  return part === "path" || part === "scheme" ? `urn_parts(${urn}).${part}` : undefined;
}

function resultPath(results: string, names: readonly string[]): string | undefined {
  const [key, part, ...more] = names;
  if (key === undefined) return results;
  if (!word.test(key) || more.length > 0) return undefined;
  if (part === undefined) return `${results}.${key}`;
  const property = ownValue(resultProperties, part);
  return property === undefined ? undefined : `${results}.${key}.${property}`;
}

function stepPath(names: readonly string[]): string | undefined {
  const [property, index] = names;
  if (names.length === 2 && property === "attachments" && index !== undefined && /^\d+$/.test(index)) {
    return `attachment_parts(input.attachments[${index}]).url`;
  }
  return single(stepProperties, names);
}

/** `extra.flow` was the name of the parent's results before version 9. */
function extraPath(names: readonly string[]): string | undefined {
  if (names[0] === "flow") {
    const results = resultPath("parent.results", names.slice(1));
    if (results !== undefined) return results;
  }
  if (names.length === 0) return "legacy_extra";
  const rest = names.join(".");
  return /^[\w.]+$/.test(rest) ? `legacy_extra.${rest}` : undefined;
}

/** Native look-ups of names that begin with a digit need brackets: `results.1st` is `results["1st"]`. */
function bracketNumbers(text: string): string {
  return text.replaceAll(/\.(\d+\w*)/g, '["$1"]');
}
