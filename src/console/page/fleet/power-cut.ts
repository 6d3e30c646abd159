import { fleetNetworks } from "../../protocol/index.js";
import { actInParts, type Act, type Part } from "./act-on.js";
import type { FleetModel } from "./fleet-model.js";
import { nameOf } from "./names.js";

const NO_NETWORK = fleetNetworks.indexOf("none");

/** The networks that handsets had before a power cut, by selector, for `restorePower`. */
const networksBefore = new Map<string, number>();

/**
 * What a village's power cut does: the mains go and, with the mast, the network. Handsets in airplane mode keep theirs.
 *
 * @param lasting - `for`, as scenarios spell it; empty: until changed
 */
export function cutPower(model: FleetModel, indexes: Uint32Array, lasting: Act["args"], done: string): Promise<void> {
  const online = indexes.filter(
    (index) => !model.hasFlag(index, "isAirplane") && model.columns.network[index] !== NO_NETWORK,
  );
  for (const index of online) networksBefore.set(nameOf(model.groups, index), model.columns.network[index] ?? 0);
  const parts: Part[] = [{ act: { verb: "power", args: { mains: "off", ...lasting }, done }, indexes }];
  if (online.length > 0) {
    parts.push({ act: { verb: "network", args: { type: "none", ...lasting }, done }, indexes: online });
  }
  return actInParts(model, done, parts);
}

/** Mains on, and the network that a power cut of this page took. */
export function restorePower(model: FleetModel, indexes: Uint32Array): Promise<void> {
  const done = "Power restored";
  const before = indexes.map((index) =>
    model.columns.network[index] === NO_NETWORK
      ? (networksBefore.get(nameOf(model.groups, index)) ?? NO_NETWORK)
      : NO_NETWORK,
  );
  for (const index of indexes) networksBefore.delete(nameOf(model.groups, index));
  const networks = fleetNetworks.flatMap((type, number): Part[] => {
    const those = indexes.filter((_, at) => number !== NO_NETWORK && before[at] === number);
    return those.length === 0 ? [] : [{ act: { verb: "network", args: { type }, done }, indexes: those }];
  });
  return actInParts(model, done, [{ act: { verb: "power", args: { mains: "on" }, done }, indexes }, ...networks]);
}
