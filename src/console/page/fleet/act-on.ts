import { lab } from "../connection/state.js";
import { labPost, RequestError } from "../connection/lab-client.js";
import { toastDone, toastFailed } from "../design/index.js";
import { formatCounted, formatInstant } from "../format/index.js";
import { fleetNetworks } from "../../protocol/index.js";
import type { FleetModel } from "./fleet-model.js";
import { selectorsOf } from "./names.js";

/** A verb of stories with its arguments, without `of`. */
export interface Act {
  readonly verb: string;
  readonly args: Readonly<Record<string, string | number | boolean>>;
  /** The toast after the act: `Power cut`. */
  readonly done: string;
}

/** An act and its handsets. */
interface Part {
  readonly act: Act;
  readonly indexes: Uint32Array;
}

/** Most selectors in one request: the limit of `/lab/do-each`. */
const SELECTORS_MAX = 500;

/** Performs an act on handsets, and shows a toast with the number of handsets and the time, or the refusals. */
export async function actOn(model: FleetModel, indexes: Uint32Array, act: Act): Promise<void> {
  const undo = undoOf(model, indexes, act);
  try {
    const { at, refused } = await perform(model, indexes, act);
    const words = `${act.done}: ${formatCounted(indexes.length, "handset")}${at === undefined ? "" : ` at ${at}`}`;
    if (refused.length > 0) toastFailed(`${words}. Refused for ${refused.join("; ")}`);
    else toastDone(words, undo.length === 0 ? undefined : { label: "Undo", onChoose: () => undoParts(model, undo) });
  } catch (error) {
    toastFailed(error);
  }
}

/** @param undo - parts without a handset in common */
async function undoParts(model: FleetModel, undo: readonly Part[]): Promise<void> {
  try {
    for (const { act, indexes } of undo) await perform(model, indexes, act);
    const count = undo.reduce((sum, { indexes }) => sum + indexes.length, 0);
    toastDone(`Undone: ${formatCounted(count, "handset")}`);
  } catch (error) {
    toastFailed(error);
  }
}

/** @returns the virtual time, and the refusals with their reasons. @throws RequestError */
async function perform(
  { groups }: FleetModel,
  indexes: Uint32Array,
  { verb, args }: Act,
): Promise<{ readonly at: string | undefined; readonly refused: readonly string[] }> {
  const selectors = selectorsOf(groups, indexes);
  const [only] = selectors;
  if (only !== undefined && selectors.length === 1) {
    const { at } = await labPost(`/do/${verb}`, { ...args, of: only });
    return { at: timeOf(at), refused: [] };
  }
  let at: string | undefined;
  const refused: string[] = [];
  for (let from = 0; from < selectors.length; from += SELECTORS_MAX) {
    const of = selectors.slice(from, from + SELECTORS_MAX);
    try {
      const answer = await labPost("/do-each", {
        verb,
        args,
        of,
      });
      at ??= timeOf(answer.at);
      refused.push(...answer.refused.map(({ of: selector, message }) => `${selector}: ${message}`));
    } catch (error) {
      // Earlier requests of this act have succeeded.
      if (from === 0 || !(error instanceof RequestError)) throw error;
      refused.push(`${of.length} selectors from ${of[0]}: ${error.message}`);
    }
  }
  return { at, refused };
}

function timeOf(instant: string): string | undefined {
  const frame = lab.peek();
  return frame === undefined ? undefined : formatInstant(Date.parse(instant) - frame.startsAtMs, frame);
}

/** The acts that undo an act, if the page knows the previous state of the handsets. */
function undoOf(model: FleetModel, indexes: Uint32Array, { verb, args }: Act): readonly Part[] {
  const had = (flag: Parameters<FleetModel["hasFlag"]>[1], isSet: boolean, of = indexes): Uint32Array =>
    of.filter((index) => model.hasFlag(index, flag) === isSet);
  // During a power cut the page does not know the mains and network settings that apply after it.
  const powered = (): Uint32Array => had("isPowerCut", false);
  switch (verb) {
    case "power": {
      const isCut = args["mains"] === "off";
      return undoing({ verb, args: { mains: isCut ? "on" : "off" }, done: "" }, had("hasMains", isCut, powered()));
    }
    case "power-cut":
    case "airplane":
    case "doze":
    case "pause": {
      const isOn = args["state"] === "on";
      return undoing({ verb, args: { state: isOn ? "off" : "on" }, done: "" }, had(stateFlags[verb], !isOn));
    }
    case "network":
      return fleetNetworks.flatMap((type, number) =>
        undoing(
          { verb, args: { type }, done: "" },
          // In airplane mode the page does not know the phone's network.
          had("isAirplane", false, powered()).filter(
            (index) => model.columns.network[index] === number && type !== args["type"],
          ),
        ),
      );
    default:
      return [];
  }
}

/** The flags that verbs with `state` set and clear. */
const stateFlags = { "power-cut": "isPowerCut", airplane: "isAirplane", doze: "isDozing", pause: "isPaused" } as const;

function undoing(act: Act, indexes: Uint32Array): readonly Part[] {
  return indexes.length === 0 ? [] : [{ act, indexes }];
}
