import { patternMatcher } from "../expect/index.js";
import type { Gateway, ServiceFault } from "../gateway/index.js";
import type { Pattern, ServiceFaultInput } from "../scenario/index.js";
import type { World } from "../world/index.js";

/** Applies a step of the verb `service`: adds a fault of the service, or ends all, for each of the phones. */
export function applyServiceFault(
  {
    of,
    state,
    failsAfter,
    poison,
    poisonsNext,
    withholds,
    offersTo,
    doubles,
    offersIncoming,
    forMs,
  }: ServiceFaultInput,
  { world, gateway }: { readonly world: World; readonly gateway: Gateway },
): void {
  const channels = world.population.channelsOf(of);
  if (state === "ok") {
    for (const channel of channels) gateway.endFaults(channel);
    return;
  }
  const fault: ServiceFault = {
    failsAfter,
    poison: poison && { written: writtenPattern(poison), matches: patternMatcher(poison, "contained") },
    poisonsNext,
    withholds,
    offersTo: offersTo && world.population.channelsOf(offersTo),
    doubles,
    offersIncoming,
  };
  for (const channel of channels) gateway.addFault(channel, fault, forMs);
}

/** A pattern as a scenario writes it. */
function writtenPattern(pattern: Pattern): string {
  return pattern.kind === "contains" ? `"${pattern.text}"` : `/${pattern.source}/${pattern.flags}`;
}
