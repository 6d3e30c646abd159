import type { HandsetState } from "../../protocol/index.js";
import { stateLooks } from "./handset-state.js";
import "./state-glyph.css";

/** A state's shape in its colour. The caller adds the word beside it, or a `title`. */
export function StateGlyph({ state, title }: { readonly state: HandsetState; readonly title?: string }) {
  const { glyph, colour } = stateLooks[state];
  const named = title === undefined ? { "aria-hidden": true } : { role: "img" as const, "aria-label": title };
  return (
    <svg {...named} class="state-glyph" viewBox="0 0 16 16" style={{ color: `var(${colour})` }}>
      <path d={glyph} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}
