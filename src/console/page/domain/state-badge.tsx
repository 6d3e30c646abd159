import type { HandsetState } from "../../protocol/index.js";
import { Badge } from "../design/index.js";
import { stateLooks } from "./handset-state.js";
import { StateGlyph } from "./state-glyph.jsx";

/** A handset's state: colour, glyph and word. */
export function StateBadge({ state }: { readonly state: HandsetState }) {
  const { label, about, colour } = stateLooks[state];
  return (
    <Badge colour={colour} title={about}>
      <StateGlyph state={state} />
      {label}
    </Badge>
  );
}
