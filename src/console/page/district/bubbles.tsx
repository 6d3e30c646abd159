import { linkToPerson } from "../navigation/routes.js";
import type { PictureLayout } from "./layout.js";
import type { Bubble } from "./newest-texts.js";
import { inVillage, spotOfPerson } from "./ways.js";

/** Widest bubble, CSS pixels. */
const WIDTH = 210;

/** Distance of a bubble from its person, CSS pixels. */
const ABOVE = 22;

interface PlacedBubble extends Bubble {
  readonly left: number;
  readonly bottom: number;
  readonly maxWidth: number;
  /** Of the tail, from the left. */
  readonly tail: number;
}

/** The newest texts, at the people who wrote or got them. A click leads to the person. */
export function Bubbles({ bubbles, layout }: { readonly bubbles: readonly Bubble[]; readonly layout: PictureLayout }) {
  return (
    <ul class="district-bubbles" aria-label="Newest texts">
      {placeBubbles(bubbles, layout).map(({ key, kind, phone, body, left, bottom, maxWidth, tail }) => (
        <li key={key}>
          <a
            class={`district-bubble district-bubble-${kind}`}
            href={linkToPerson(phone)}
            style={{ left: `${left}px`, bottom: `${bottom}px`, maxWidth: `${maxWidth}px`, "--tail": `${tail}px` }}
          >
            <span class="district-bubble-words">{body}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Leaves out bubbles that newer ones would cover, and all but the newest one on narrow pictures. */
function placeBubbles(bubbles: readonly Bubble[], layout: PictureLayout): PlacedBubble[] {
  const { room, isPortrait, land, villages } = layout;
  // Service and receiver, beside the land, stay uncovered.
  const right = isPortrait ? room.width : land.left + land.width;
  const placed: PlacedBubble[] = [];
  for (const bubble of [...bubbles].reverse()) {
    const disc = villages[bubble.village];
    if (disc === undefined || (isPortrait && placed.length > 0)) continue;
    const person = inVillage(disc, spotOfPerson(bubble.phone));
    const maxWidth = Math.min(WIDTH, room.width * 0.6);
    // A short text is narrower than the widest bubble, so its tail is near its left end.
    const left = Math.min(right - maxWidth - 4, Math.max(4, person.x - 30));
    const bottom = room.height - person.y + ABOVE;
    const isCovered = placed.some(
      (other) => Math.abs(other.left - left) < maxWidth && Math.abs(other.bottom - bottom) < BUBBLE_HEIGHT,
    );
    if (!isCovered) placed.push({ ...bubble, left, bottom, maxWidth, tail: Math.round(person.x - left) });
  }
  return placed;
}

/** Height of a bubble with two lines, CSS pixels. */
const BUBBLE_HEIGHT = 62;
