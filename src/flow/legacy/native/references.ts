import { migrateTemplate } from "../expressions/migrate-template.js";
import { itemsOf, type LegacyJson, mapOf, textOf, valueAt } from "../json.js";

/** A native reference to a group or label: by UUID, or by a name that can be a template. */
export function groupOrLabel(reference: unknown): LegacyJson {
  const map = mapOf(reference);
  if (map === undefined) return { name_match: nameTemplate(textOf(reference)) };
  const uuid = textOf(valueAt(map, "uuid"));
  const name = textOf(valueAt(map, "name"));
  return uuid === "" ? { name_match: name } : { uuid, name };
}

/** {@link groupOrLabel} of each item; items without a UUID and a name are dropped. */
export function groupsOrLabels(list: unknown): LegacyJson[] {
  return itemsOf(list)
    .map(groupOrLabel)
    .filter(({ uuid, name_match: match }) => uuid !== undefined || match !== "");
}

function nameTemplate(name: string): string {
  return name.startsWith("@") ? migrateTemplate(name) : name;
}

/** A native reference with UUID and name; both are empty when the legacy one lacks them. */
export function reference(value: unknown): LegacyJson {
  const map = mapOf(value);
  return { uuid: textOf(valueAt(map, "uuid")), name: textOf(valueAt(map, "name")) };
}

export function contacts(list: unknown): LegacyJson[] {
  return itemsOf(list)
    .map(reference)
    .filter(({ uuid }) => uuid !== "");
}

/** Recipients that are expressions, phone numbers or names; each is an object with `id`, or a plain text. */
export function variables(list: unknown): string[] {
  return itemsOf(list)
    .map((item) => textOf(valueAt(mapOf(item), "id") ?? item))
    .filter((variable) => variable !== "");
}
