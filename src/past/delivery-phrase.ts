import { formatCount, readableDuration } from "../report/index.js";
import type { DeliveryInput, TroubleSpec } from "../scenario/index.js";
import { type Distribution, lowerBound, upperBound } from "../sim/index.js";
import type { ActNames } from "./act-names.js";

/** A `delivery` input as a phrase, without its time: `On the way to the receiver: 10 % of answers lost, for clinic`. */
export function deliveryPhrase(
  input: DeliveryInput,
  { handsets, people }: Pick<ActNames, "handsets" | "people">,
): string {
  const { of, types, person, troubles, times, state } = input;
  if (state === "ok") return `No more trouble on the way to the receiver for ${handsets(of)}`;
  const scope = [
    handsets(of),
    ...(types === undefined ? [] : [types.join(", ")]),
    ...(person === undefined ? [] : [`about ${people(person)}`]),
  ].join(", ");
  const next = times === undefined ? "" : ` at the next ${times === 1 ? "request" : `${formatCount(times)} requests`}`;
  return `On the way to the receiver${next}: ${troubles.map(troublePhrase).join("; ")}, for ${scope}`;
}

function troublePhrase(spec: TroubleSpec): string {
  const some = spec.share === 1 ? "" : `${Number((100 * spec.share).toPrecision(3))} % of `;
  switch (spec.kind) {
    case "answers-lost":
      return `${some}answers lost`;
    case "requests-lost":
      return `${some}requests lost`;
    case "refused":
      return `${some}connections refused`;
    case "delay":
      return `${some}requests later by ${rangeOf(spec.amount, readableDuration)}`;
    case "overtaken-by":
      return `${some}events overtaken by ${rangeOf(spec.amount, formatCount)}`;
    case "copies":
      return `${some}requests sent ${rangeOf(spec.amount, formatCount)} times at once`;
    case "slow":
      return `${some}requests slow, ${rangeOf(spec.amount, formatCount)} B/s`;
    case "cut":
      return `${some}connections cut in the ${spec.place}`;
    default:
      return spec satisfies never;
  }
}

function rangeOf(amount: Distribution<number>, write: (value: number) => string): string {
  const [least, most] = [lowerBound(amount), upperBound(amount)];
  if (least === most) return write(least);
  return Number.isFinite(most) ? `${write(least)} to ${write(most)}` : `${write(least)} or more`;
}
