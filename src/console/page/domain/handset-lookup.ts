import { type HandsetState, stateOf } from "../../protocol/index.js";
import { fleet } from "../connection/state.js";

/** The channel of `clinic/3`; undefined: the fleet is not known yet, or has no such handset. */
export function channelOf(selector: string): number | undefined {
  const [name, index] = selector.split("/");
  const group = fleet.value?.groups.find((one) => one.name === name);
  const place = Number(index) - (group?.firstIndex ?? 0);
  return group !== undefined && place >= 0 && place < group.count ? group.firstChannel + place : undefined;
}

/** The display name of a handset's group; undefined: it is the group's key. */
export function displayNameOf(selector: string): string | undefined {
  const [name] = selector.split("/");
  const group = fleet.value?.groups.find((one) => one.name === name);
  return group === undefined || group.label === group.name ? undefined : group.label;
}

/** A handset's state as the fleet shows it; undefined: the fleet is not known yet. */
export function stateOfChannel(channel: number): HandsetState | undefined {
  const state = fleet.value;
  if (state === undefined || channel > state.count) return undefined;
  const { columns } = state;
  const valueOf = (column: keyof typeof columns): number => columns[column][channel - 1] ?? 0;
  return stateOf({
    flags: valueOf("flags"),
    battery: valueOf("battery"),
    network: valueOf("network"),
    pending: valueOf("pending"),
    retry: valueOf("retry"),
    unsynced: valueOf("unsynced"),
  });
}
