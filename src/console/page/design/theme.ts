import { effect, signal } from "@preact/signals";
import { keptChoice } from "./kept-choice.js";

export type Theme = "system" | "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The reader's choice. */
export const theme = keptChoice<Theme>("theme", ["system", "light", "dark"], "system");
/** Whether the dark theme is shown. A component that reads it is drawn again when the colours change. */
export const isDark = signal(false);

effect(() => {
  const chosen = theme.value;
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
  isDark.value = chosen === "system" ? dark.matches : chosen === "dark";
});

dark.addEventListener("change", () => {
  if (theme.value === "system") isDark.value = dark.matches;
});

/** The colour of a token in the current theme, for canvases: `colourOf("--tile-fine")`. Subscribes to the theme. */
export function colourOf(token: `--${string}`): string {
  void isDark.value;
  if (probe === undefined) {
    probe = document.body.appendChild(Object.assign(document.createElement("i"), { hidden: true }));
    // With forced colours all tokens would have one colour, and the tiles would be unreadable.
    probe.style.setProperty("forced-color-adjust", "none");
  }
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

let probe: HTMLElement | undefined;
