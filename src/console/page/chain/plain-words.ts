import type { ChainAttempt, ChainStep } from "../../protocol/index.js";

/** What a step says to an audience: without ids, codes and durations. Undefined: its name says it all. */
export function plainWords(
  { kind, text, person }: Pick<ChainStep, "kind" | "text" | "person">,
  attempt: Pick<ChainAttempt, "outcome"> | undefined,
): string | undefined {
  const who = person?.name ?? person?.selector ?? "The person";
  switch (kind) {
    case "event":
    case "taken":
      return undefined;
    case "attempt":
      return attempt?.outcome === "accepted" ? "The application has it" : "The application did not take it";
    case "queued":
      return /"(.*)"/s.exec(text)?.[1];
    case "heard":
      return `${who} reads it`;
    default:
      return text.replace(/ \(\+?\d+\)/g, "").replace(/\b(message|event) \d+(\/\d+)?/g, "the $1");
  }
}
