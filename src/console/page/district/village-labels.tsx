import type { FleetGroup } from "../../protocol/index.js";
import { formatShort } from "../format/index.js";
import { goTo, linkTo, linkToHandset } from "../navigation/routes.js";
import { type Disc, footprint, type PictureLayout } from "./layout.js";
import type { Counted } from "./recent-counts.js";
import { QUEUE_FROM } from "./village-state.js";
import { onCurve, phoneAt, UNIT, wayOf } from "./ways.js";
import { type NamedVillage, troubleOf, villageSentence } from "./words.js";

/** Names of the villages with what is wrong. Each is a link to its phones, and the list that screen readers have. */
export function VillageLabels({
  layout,
  groups,
  villages,
  counted,
}: {
  readonly layout: PictureLayout;
  readonly groups: readonly FleetGroup[];
  readonly villages: readonly NamedVillage[];
  readonly counted: readonly Counted[];
}) {
  const [first] = layout.villages;
  const scale = Math.min(1.6, Math.max(0.72, (first?.radius ?? UNIT) / 74));
  return (
    <>
      <ul class="district-villages" aria-label="Villages" style={{ fontSize: `${scale}rem` }}>
        {groups.map((group, index) => {
          const [disc, village] = [layout.villages[index], villages[index]];
          if (disc === undefined || village === undefined) return null;
          const { radius, x, y } = disc;
          return (
            <li key={group.name}>
              <a
                class="district-label"
                href={linkTo("fleet", [], { name: group.name })}
                style={{
                  left: `${x - radius * footprint.side}px`,
                  top: `${y - radius * footprint.above}px`,
                  width: `${2 * radius * footprint.side}px`,
                  paddingTop: `${radius * (footprint.above + 0.98)}px`,
                }}
                onClick={(event) => openPhone(event, disc, group)}
              >
                <span class="design-unseen">{villageSentence(village)}</span>
                <LabelWords village={village} isSmall={radius < 26} />
              </a>
            </li>
          );
        })}
      </ul>
      <div class="district-counts" aria-hidden="true">
        {layout.villages.map((disc, index) => {
          const { texts = 0, messages = 0 } = counted[index] ?? {};
          const { x, y } = onCurve(wayOf(layout, disc), 0.3);
          return (
            texts + messages > 0 && (
              <span key={index} class="district-count" style={{ left: `${x}px`, top: `${y}px` }}>
                ↑ {formatShort(texts)} ↓ {formatShort(messages)}
              </span>
            )
          );
        })}
      </div>
    </>
  );
}

/** Opens the phone at the pointer, in place of the village. Keys have no pointer, and open the village. */
function openPhone(event: MouseEvent, disc: Disc, group: FleetGroup): void {
  const picture = (event.currentTarget as Element).closest(".district-picture");
  if (picture === null || event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { left, top } = picture.getBoundingClientRect();
  const nth = phoneAt(disc, group.count, { x: event.clientX - left, y: event.clientY - top });
  if (nth === undefined) return;
  event.preventDefault();
  goTo(linkToHandset(`${group.name}/${group.firstIndex + nth}`));
}

function LabelWords({
  village: { label, state, storm },
  isSmall,
}: {
  readonly village: NamedVillage;
  readonly isSmall: boolean;
}) {
  const trouble = troubleOf(state);
  if (isSmall && trouble === undefined && storm === 0) return null;
  return (
    <>
      <strong class={isSmall ? "district-name district-name-small" : "district-name"} dir="auto" aria-hidden="true">
        {label}
      </strong>
      <span class="district-pills" aria-hidden="true">
        {trouble !== undefined && (
          <span class={`district-pill ${state.hasPower ? "district-pill-bad" : "district-pill-dark"}`}>{trouble}</span>
        )}
        {storm > 0 ? (
          <span class="district-pill district-pill-storm">{formatShort(storm)} sent</span>
        ) : (
          state.waiting >= QUEUE_FROM && (
            <span class="district-pill district-pill-wait">{formatShort(state.waiting)} wait</span>
          )
        )}
      </span>
    </>
  );
}
