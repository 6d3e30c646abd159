import { lab } from "../connection/state.js";
import { labPost, RequestError } from "../connection/lab-client.js";
import { toastDone, toastFailed } from "../design/index.js";
import { formatCounted, formatInstant } from "../format/index.js";
import { fleetNetworks } from "../../protocol/index.js";
import type { FleetModel } from "./fleet-model.js";
import { selectorsOf } from "./names.js";

/** A verb of stories with its arguments, but for `of`. */
export interface Act {
  readonly verb: string;
  readonly args: Readonly<Record<string, string | number | boolean>>;
  /** What was done: `Power cut`. */
  readonly done: string;
}

/** An act, and the handsets that it is done to. */
export interface Part {
  readonly act: Act;
  readonly indexes: Uint32Array;
}

/** Selectors in one request, at most: the limit of `/lab/do-each`. */
const SELECTORS_MAX = 500;

/** Does something to handsets, and says what was done to how many and when, or why not. */
export function actOn(model: FleetModel, indexes: Uint32Array, act: Act): Promise<void> {
  return actInParts(model, act.done, [{ act, indexes }]);
}

/** Several acts that are one for the user: said once, and undone together. @param done - as in `Act` */
export async function actInParts(model: FleetModel, done: string, parts: readonly Part[]): Promise<void> {
  const undo = parts.flatMap(({ act, indexes }) => undoOf(model, indexes, act));
  try {
    const { at, refused } = await performAll(model, parts);
    const words = `${done}: ${countedIn(parts)}${at === undefined ? "" : ` at ${at}`}`;
    if (refused.length > 0) toastFailed(`${words}. Refused for ${refused.join("; ")}`);
    else toastDone(words, undo.length === 0 ? undefined : { label: "Undo", onChoose: () => takeBack(model, undo) });
  } catch (error) {
    toastFailed(error);
  }
}

async function takeBack(model: FleetModel, undo: readonly Part[]): Promise<void> {
  try {
    await performAll(model, undo);
    toastDone(`Undone: ${countedIn(undo)}`);
  } catch (error) {
    toastFailed(error);
  }
}

/** `10 handsets`: each counts once, whatever is done to it. */
function countedIn(parts: readonly Part[]): string {
  return formatCounted(new Set(parts.flatMap(({ indexes }) => [...indexes])).size, "handset");
}

async function performAll(model: FleetModel, parts: readonly Part[]): ReturnType<typeof perform> {
  let at: string | undefined;
  const refused: string[] = [];
  for (const { act, indexes } of parts) {
    const answer = await perform(model, indexes, act);
    at ??= answer.at;
    refused.push(...answer.refused);
  }
  return { at, refused };
}

/** @returns the virtual time, and what was refused and why. @throws RequestError */
async function perform(
  { groups }: FleetModel,
  indexes: Uint32Array,
  { verb, args }: Act,
): Promise<{ readonly at: string | undefined; readonly refused: readonly string[] }> {
  const selectors = selectorsOf(groups, indexes);
  const [only] = selectors;
  if (only !== undefined && selectors.length === 1) {
    const { at } = await labPost<{ at: string }>(`/do/${verb}`, { ...args, of: only });
    return { at: timeOf(at), refused: [] };
  }
  let at: string | undefined;
  const refused: string[] = [];
  for (let from = 0; from < selectors.length; from += SELECTORS_MAX) {
    const of = selectors.slice(from, from + SELECTORS_MAX);
    try {
      const answer = await labPost<{ at: string; refused: { of: string; message: string }[] }>("/do-each", {
        verb,
        args,
        of,
      });
      at ??= timeOf(answer.at);
      refused.push(...answer.refused.map(({ of: selector, message }) => `${selector}: ${message}`));
    } catch (error) {
      // The requests before this one have acted.
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

/** What takes an act back, where the page knows how the handsets were before. */
function undoOf(model: FleetModel, indexes: Uint32Array, { verb, args }: Act): readonly Part[] {
  const had = (flag: "hasMains" | "isAirplane" | "isPaused", isSet: boolean): Uint32Array =>
    indexes.filter((index) => model.hasFlag(index, flag) === isSet);
  switch (verb) {
    case "power": {
      const isCut = args["mains"] === "off";
      return undoing({ verb, args: { mains: isCut ? "on" : "off" }, done: "" }, had("hasMains", isCut));
    }
    case "airplane":
    case "pause": {
      const isOn = args["state"] === "on";
      const changed = had(verb === "pause" ? "isPaused" : "isAirplane", !isOn);
      return undoing({ verb, args: { state: isOn ? "off" : "on" }, done: "" }, changed);
    }
    case "network":
      return fleetNetworks.flatMap((type, number) =>
        undoing(
          { verb, args: { type }, done: "" },
          // In airplane mode the link that the phone would have is not known.
          had("isAirplane", false).filter((index) => model.columns.network[index] === number && type !== args["type"]),
        ),
      );
    default:
      return [];
  }
}

function undoing(act: Act, indexes: Uint32Array): readonly Part[] {
  return indexes.length === 0 ? [] : [{ act, indexes }];
}
