import type { BlockedPhone } from "../wire/index.js";
import { phoneReason } from "./life/index.js";

/** Phones that a line names. */
const NAMED_MAX = 3;

/** `4 for clinic/1 (the phone has no data network) and more for 2 more phones`; undefined: none is blocked. */
export function blockedText(blocked: readonly BlockedPhone[] = []): string | undefined {
  if (blocked.length === 0) return undefined;
  const named = blocked.slice(0, NAMED_MAX).map(({ of, why, waiting }) => `${waiting} for ${of} (${phoneReason(why)})`);
  const others = blocked.length - named.length;
  return named.join(", ") + (others === 0 ? "" : ` and more for ${others} more phone${others === 1 ? "" : "s"}`);
}
