/** A JSON object. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none if the value is no list. */
export function mapsIn(value: unknown): JsonMap[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}

/** A text without outer white space, or a number as text; undefined: the value is neither, or blank. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** The texts of a list; none if the value is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => textOf(one) ?? []) : [];
}

/** The `uuid` of an object in lower case; undefined if it has none, or an invalid one. */
export function uuidOf(value: unknown): string | undefined {
  const uuid = isMap(value) ? textOf(value["uuid"])?.toLowerCase() : undefined;
  return uuid !== undefined && uuidForm.test(uuid) ? uuid : undefined;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
