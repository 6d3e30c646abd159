/** Reads values of a definition's JSON, which may have any shape. A missing value or one of another type is empty. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

export function objectsOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];
}
