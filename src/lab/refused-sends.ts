import type { RefusedSends } from "../gateway/index.js";
import { durationLiteral } from "../scenario/index.js";

/** Maximum number of handsets that a warning names. */
const NAMED_MAX = 3;

const reasons = {
  released: "the channel was released",
  moved: "the channel belonged to another organisation",
} as const;

/** Warnings about messages that the service did not make, one for each cause that occurred. */
export function refusedSendsTexts(refused: readonly RefusedSends[]): string[] {
  return (["released", "moved"] as const).flatMap((cause) => {
    const those = refused.filter((one) => one.cause === cause);
    if (those.length === 0) return [];
    const count = those.reduce((sum, one) => sum + one.count, 0);
    const named = those.slice(0, NAMED_MAX).map(({ handset }) => handset);
    const others = those.length - named.length;
    const handsets = named.join(", ") + (others === 0 ? "" : ` and ${others} more handset${others === 1 ? "" : "s"}`);
    const firstAtMs = Math.min(...those.map((one) => one.firstAtMs));
    return [
      `${count} message${count === 1 ? " was" : "s were"} not made, the first at ${durationLiteral(firstAtMs - (firstAtMs % 1000))}, because ` +
        `${reasons[cause]}: ${handsets}`,
    ];
  });
}
