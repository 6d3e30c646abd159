import { isE164, type Spelling } from "../../wire/index.js";
import type { FieldHandset } from "../import/summary.js";

/**
 * The scenario in a recording of a field log: its handsets, in the order of the recording's channels, and its span. It
 * has no people and no story: the recording has the events themselves. A replay posts each event once, as the log has
 * retries as events of their own.
 */
export function scenarioTextOf(facts: {
  readonly name: string;
  readonly startsAtMs: number;
  readonly lastsMs: number;
  readonly handsets: readonly FieldHandset[];
  readonly spelling: Spelling | undefined;
}): string {
  const { name, startsAtMs, lastsMs, handsets, spelling } = facts;
  const preset = spelling === "historic" ? "rapidpro-2016" : "documented";
  const known = new Set(handsets.map(({ phone }) => phone));
  let invented = 0;
  const unused = (): string => {
    let phone: string;
    do phone = `+999${String(++invented).padStart(7, "0")}`;
    while (known.has(phone));
    return phone;
  };
  const used = new Set<string>();
  const lines = handsets.map(({ group, phone }) => {
    const own = phone !== undefined && isE164(phone) && !used.has(phone) ? phone : unused();
    used.add(own);
    return `  ${group}: { phone: "${own}"${own === phone ? "" : ", name: number unknown"} }\n`;
  });
  return (
    `# The events of a field log, written by handset import.\n` +
    `name: ${JSON.stringify(name)}\nseed: 1\nstarts: ${new Date(startsAtMs).toISOString()}\n` +
    `lasts: ${Math.max(1, Math.ceil(lastsMs / 1000))}s\nservice: { preset: ${preset}, attempts: 1 }\nhandsets:\n${lines.join("")}`
  );
}
