/** All texts with an `@` in a part of a definition, at any depth: each may be a template. */
export function templatesIn(part: unknown): readonly string[] {
  if (typeof part === "string") return part.includes("@") ? [part] : [];
  if (Array.isArray(part)) return part.flatMap(templatesIn);
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(templatesIn) : [];
}
