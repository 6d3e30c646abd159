import type { HandsetState } from "../../protocol/index.js";

/** Word, shape and colour of a state. Colour is never the sole cue. */
export interface StateLook {
  /** The word on badges and chips. */
  readonly label: string;
  /** One sentence for the legend and for tooltips. */
  readonly about: string;
  /** SVG path in a box of 16 by 16, filled with the rule `evenodd`. Canvases draw it, too. */
  readonly glyph: string;
  /** Token of text and glyphs. */
  readonly colour: `--state-${HandsetState}`;
  /** Token of areas, such as cells of the grid. */
  readonly fill: `--tile-${HandsetState}`;
}

/** The looks of all states, worst first. */
export const stateLooks: Readonly<Record<HandsetState, StateLook>> = {
  off: {
    label: "Off",
    about: "The phone is off: its battery is empty, or it restarts. Texts wait at the carrier.",
    glyph: "M1 1h14v14H1z M3.4 3.4v9.2h9.2V3.4z",
    colour: "--state-off",
    fill: "--tile-off",
  },
  offline: {
    label: "Offline",
    about: "The phone is on without a data link: it queues texts and reports until the link returns.",
    glyph: "M3.5 1 8 5.5 12.5 1 15 3.5 10.5 8 15 12.5 12.5 15 8 10.5 3.5 15 1 12.5 5.5 8 1 3.5z",
    colour: "--state-offline",
    fill: "--tile-offline",
  },
  paused: {
    label: "Paused",
    about: "The relayer app is paused: it neither syncs nor sends.",
    glyph: "M2 1h4.5v14H2z M9.5 1H14v14H9.5z",
    colour: "--state-paused",
    fill: "--tile-paused",
  },
  alarm: {
    label: "Alarm",
    about: "The service has an alarm about the phone that has not cleared.",
    glyph: "M8 .5 16 15.5H0z",
    colour: "--state-alarm",
    fill: "--tile-alarm",
  },
  queueing: {
    label: "Queueing",
    about: "Five or more messages and reports wait on the phone, or a message waits for another try.",
    glyph: "M1 1h14v3.6H1z M1 6.2h14v3.6H1z M1 11.4h14V15H1z",
    colour: "--state-queueing",
    fill: "--tile-queueing",
  },
  low: {
    label: "Low battery",
    about: "The battery is under 25% and the mains are off.",
    glyph: "M1 1h14v14H1z M3 3v5.5h10V3z",
    colour: "--state-low",
    fill: "--tile-low",
  },
  unplugged: {
    label: "On battery",
    about: "The mains are off: the phone runs on its battery.",
    glyph: "M1 1h5.5L15 9.5V15H1z",
    colour: "--state-unplugged",
    fill: "--tile-unplugged",
  },
  fine: {
    label: "Fine",
    about: "The phone is on, plugged in and connected, and its queue is short.",
    glyph: "M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z",
    colour: "--state-fine",
    fill: "--tile-fine",
  },
};
