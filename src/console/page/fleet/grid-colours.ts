import { handsetStates } from "../../protocol/index.js";
import { colourOf } from "../design/index.js";
import { stateLooks } from "../domain/handset-state.js";

/** The colours of the grid's canvases in the current theme. */
export interface GridColours {
  /** By index in `handsetStates`. */
  readonly fills: readonly string[];
  readonly states: readonly string[];
  readonly surface: string;
  readonly page: string;
  readonly selected: string;
  readonly text: string;
  readonly muted: string;
  readonly border: string;
  readonly accent: string;
  readonly arriving: string;
  readonly leaving: string;
}

/** Reads the tokens. Subscribes to the theme. */
export function gridColours(): GridColours {
  return {
    fills: handsetStates.map((state) => colourOf(stateLooks[state].fill)),
    states: handsetStates.map((state) => colourOf(stateLooks[state].colour)),
    surface: colourOf("--surface"),
    page: colourOf("--surface-page"),
    selected: colourOf("--surface-selected"),
    text: colourOf("--text"),
    muted: colourOf("--text-muted"),
    border: colourOf("--border"),
    accent: colourOf("--accent"),
    arriving: colourOf("--note"),
    leaving: colourOf("--good"),
  };
}
