import { linkToPerson } from "../navigation/routes.js";
import type { PictureLayout } from "./layout.js";
import type { Bubble } from "./newest-texts.js";
import { inVillage, spotOfPerson } from "./ways.js";

/** Widest bubble, CSS pixels. */
const WIDTH = 210;

/** Distance of the tail from the edge of a bubble, CSS pixels. */
const TAIL = 30;

/** Distance of a bubble from its person, CSS pixels. */
const ABOVE = 22;

interface PlacedBubble extends Bubble {
  /** The edge whose place is known: a short text is narrower than the widest bubble. */
  readonly side: "left" | "right";
  /** Of that edge, from the same edge of the picture. */
  readonly inset: number;
  readonly bottom: number;
  readonly maxWidth: number;
  /** Of the tail, from that edge. */
  readonly tail: number;
}

/** The newest texts, at the people who wrote or got them. A click leads to the person. */
export function Bubbles({ bubbles, layout }: { readonly bubbles: readonly Bubble[]; readonly layout: PictureLayout }) {
  return (
    <ul class="district-bubbles" aria-label="Newest texts">
      {placeBubbles(bubbles, layout).map(({ key, kind, phone, body, side, inset, bottom, maxWidth, tail }) => (
        <li key={key}>
          <a
            class={`district-bubble district-bubble-${kind} district-bubble-${side}`}
            href={linkToPerson(phone)}
            style={{
              [side]: `${inset}px`,
              bottom: `${bottom}px`,
              maxWidth: `${maxWidth}px`,
              "--tail": `${tail}px`,
            }}
          >
            <span class="district-bubble-words" dir="auto">
              {body}
            </span>
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
  const maxWidth = Math.min(WIDTH, room.width * 0.6);
  const placed: (PlacedBubble & { readonly left: number })[] = [];
  for (const bubble of [...bubbles].reverse()) {
    const disc = villages[bubble.village];
    if (disc === undefined || (isPortrait && placed.length > 0)) continue;
    const person = inVillage(disc, spotOfPerson(bubble.phone));
    const bottom = room.height - person.y + ABOVE;
    const end = Math.min(right - 4, person.x + TAIL);
    // To the right of the person where it fits, else to the left.
    const isRight = Math.max(4, person.x - TAIL) + maxWidth <= right - 4;
    const left = isRight ? Math.max(4, person.x - TAIL) : end - maxWidth;
    const isCovered = placed.some(
      (other) => Math.abs(other.left - left) < maxWidth && Math.abs(other.bottom - bottom) < BUBBLE_HEIGHT,
    );
    if (isCovered) continue;
    const edge = isRight
      ? ({ side: "left", inset: left, tail: Math.round(person.x - left) } as const)
      : ({ side: "right", inset: room.width - end, tail: Math.round(end - person.x) } as const);
    placed.push({ ...bubble, ...edge, left, bottom, maxWidth });
  }
  return placed;
}

/** Height of a bubble with two lines, CSS pixels. */
const BUBBLE_HEIGHT = 62;
