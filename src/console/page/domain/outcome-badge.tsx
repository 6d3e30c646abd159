import { Badge } from "../design/index.js";
import { lookOfOutcome, type ShownOutcome } from "./outcome-look.js";

/** The outcome of an attempt or an event: colour, glyph and word. @param status - HTTP status, shown beside it */
export function OutcomeBadge({ status, ...shown }: ShownOutcome & { readonly status?: number | null }) {
  const { tone, icon, about, word } = lookOfOutcome(shown);
  return (
    <Badge tone={tone} icon={icon} title={about}>
      {word}
      {status !== undefined && status !== null && <span class="design-number">{status}</span>}
    </Badge>
  );
}
