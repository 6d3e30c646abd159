/** A summary of a file to import, without validation. */
export interface ImportContents {
  readonly kind: "export" | "account file";
  /** `3 flows`, `1 campaign`. */
  readonly parts: readonly string[];
}

/** Summarises an export (JSON) or an account file (YAML); undefined: it is neither. */
export function contentsOf(text: string): ImportContents | undefined {
  return text.trimStart().startsWith("{") ? exportContents(text) : accountContents(text);
}

const listed = ["flows", "campaigns", "triggers", "fields", "groups"] as const;

function exportContents(text: string): ImportContents | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const parts = listed.flatMap((name) => {
    const list = (value as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(list) || list.length === 0) return [];
    return `${list.length} ${list.length === 1 ? name.slice(0, -1) : name}`;
  });
  return { kind: "export", parts };
}

function accountContents(text: string): ImportContents | undefined {
  const keys = [...text.matchAll(/^([a-z][\w-]*):/gm)].map(([, key = ""]) => key);
  return keys.length === 0 ? undefined : { kind: "account file", parts: keys.filter((key) => key !== "account") };
}
