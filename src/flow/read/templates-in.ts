/** All texts in a part of a definition that hold an `@`, at any depth: the places of templates. */
export function templatesIn(part: unknown): readonly string[] {
  if (typeof part === "string") return part.includes("@") ? [part] : [];
  if (Array.isArray(part)) return part.flatMap(templatesIn);
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(templatesIn) : [];
}
