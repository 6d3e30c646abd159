import type { PictureLayout } from "./layout.js";
import { type Curve, trunkOf, wayOf } from "./ways.js";
import type { NamedVillage } from "./words.js";

/** Most ways that are drawn at full width; of more, each is thin. */
const WAYS_FULL = 24;

/** The ground with its river, and the ways between villages, service and receiver. A broken way is cut. */
export function LandArt({
  layout,
  villages,
  isFailing,
}: {
  readonly layout: PictureLayout;
  readonly villages: readonly NamedVillage[];
  readonly isFailing: boolean;
}) {
  const { left, top, width, height } = layout.land;
  return (
    <>
      <g transform={`translate(${left} ${top}) scale(${width / 100} ${height / 100})`}>
        <path
          class="district-land"
          d="M4 14C14-2 36 3 52 2s36-3 44 12 4 30 3 44 2 32-12 38-30 3-46 4-30 1-37-10S-1 60 1 44 0 22 4 14z"
        />
        <path
          class="district-river"
          d="M33 1.6c-1 12 9 18 6 30s-18 16-16 30 13 22 12 37.4h5c2-16-11-24-12-37.4s15-18 16-31.6-7-16-6-28.4z"
        />
      </g>
      <g class={layout.villages.length > WAYS_FULL ? "district-ways-many" : undefined}>
        {layout.villages.map((disc, index) => {
          const isCut = villages[index]?.state.hasLink === false;
          return (
            <path
              key={index}
              class={isCut ? "district-way district-way-cut" : "district-way"}
              d={pathOf(wayOf(layout, disc))}
            />
          );
        })}
      </g>
      <path
        class={isFailing ? "district-way district-trunk district-way-bad" : "district-way district-trunk"}
        d={pathOf(trunkOf(layout))}
      />
    </>
  );
}

function pathOf([from, bend, to]: Curve): string {
  return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`;
}
