import type { DeliveryTroubles, TroubleEffect, TroubleRule } from "../delivery/index.js";
import type { DeliveryInput, TroubleSpec } from "../scenario/index.js";
import type { Kernel } from "../sim/index.js";
import type { PeopleChoice, Population } from "../world/index.js";

/** Applies a `delivery` input: adds rules to the channels of its handsets, for its time, or ends all of them. */
export function applyDeliveryTrouble(
  { of, types, person, troubles: specs, times, state, forMs }: DeliveryInput,
  { troubles, population, kernel }: Targets,
): void {
  const channels = population.channelsOf(of);
  if (state === "ok") return troubles.clear(channels);
  const scope = {
    ...(types !== undefined && { types: new Set(types) }),
    ...(person !== undefined && { phones: phonesOf(person, population) }),
  };
  for (const spec of specs) {
    const { share } = spec;
    const rule: TroubleRule = {
      ...scope,
      ...effectOf(spec),
      share,
      ...(times !== undefined && { times: { left: times } }),
    };
    troubles.add(rule, channels);
    if (forMs !== undefined) kernel.in(forMs, () => troubles.remove(rule, channels), undefined);
  }
}

interface Targets {
  readonly troubles: DeliveryTroubles;
  readonly population: Population;
  readonly kernel: Kernel;
}

function effectOf(spec: TroubleSpec): TroubleEffect {
  if (spec.kind === "cut") return { kind: spec.kind, place: spec.place };
  return "amount" in spec ? { kind: spec.kind, amount: spec.amount } : { kind: spec.kind };
}

function phonesOf(choice: PeopleChoice, population: Population): ReadonlySet<string> {
  if ("phone" in choice) return new Set([choice.phone]);
  return new Set(population.peopleOf(choice).map((person) => population.phoneOfPerson(person)));
}
