import { createContext } from "preact";
import type { TextEntry } from "../../protocol/index.js";

/**
 * Whether a phone does not show a text yet, because the drawn way of the text has not got there. The lab is often ahead
 * of what is drawn.
 */
export type IsTextHeld = (entry: TextEntry, owner: TextEntry["from"]) => boolean;

export const HeldTextsContext = createContext<IsTextHeld>(() => false);
