import type { SimSlot } from "../../world/index.js";
import { word } from "./fields.js";
import type { Field } from "../sheet/field.js";

/** A SIM slot as it is written. */
export type SlotWord = "1" | "2";

/** A SIM slot of a phone. */
export function slotWord(about: string): Field<SlotWord, SlotWord> {
  return word(["1", "2"], about);
}

/** The number of a slot. */
export function slotOf(slot: SlotWord | undefined): SimSlot | undefined {
  if (slot === undefined) return undefined;
  return slot === "2" ? 2 : 1;
}
