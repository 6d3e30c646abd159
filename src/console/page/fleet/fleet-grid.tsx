import { useEffect, useMemo, useRef } from "preact/hooks";
import { isDark } from "../design/index.js";
import type { Arrangement } from "./arrangement.js";
import { BlockLabel } from "./block-label.jsx";
import { CellArt } from "./cell-art.js";
import { handsetSentence } from "./describe.js";
import type { FleetDesk } from "./fleet-desk.js";
import type { FleetQuery } from "./fleet-query.js";
import { GridCanvas } from "./grid-canvas.js";
import { gridColours } from "./grid-colours.js";
import { HandsetCards, idOf, placeFinder } from "./handset-cards.jsx";
import { HandsetTip } from "./handset-tip.jsx";
import type { Place } from "./layout.js";
import { type ChosenLevel, type Room, tileHeight } from "./level.js";
import { TileArt } from "./tile-art.js";
import { useGridInput } from "./use-grid-input.js";
import "./fleet-grid.css";

interface Props {
  readonly desk: FleetDesk;
  readonly arrangement: Arrangement;
  readonly chosen: ChosenLevel;
  readonly room: Room;
  readonly query: FleetQuery;
  /** The handset that the side panel shows. */
  readonly opened: number | undefined;
  /** Clicks select instead of opening. */
  readonly isSelecting: boolean;
  readonly onOpen: (index: number) => void;
}

/** The grid of handsets: cards, tiles or cells. One tab stop; arrows move, Enter opens, Space selects. */
export function FleetGrid({ desk, arrangement, chosen, room, query, opened, isSelecting, onOpen }: Props) {
  const { layout, level } = chosen;
  const surface = useRef<HTMLDivElement>(null);
  const { focused, hovered, isFocusSeen, dragged, handlers } = useGridInput({
    desk,
    arrangement,
    layout,
    surface,
    isSelecting,
    onOpen,
  });
  void desk.selected.value;
  const pointed = hovered ?? (isFocusSeen && focused !== opened ? focused : undefined);
  const placeOf = placeFinder(arrangement, layout);
  const openedPlace = opened === undefined ? undefined : placeOf(opened);
  const focusPlace = focused === undefined ? undefined : placeOf(focused);
  const tipPlace = level === "cards" || pointed === undefined ? undefined : placeOf(pointed);
  return (
    <div
      class={`fleet-grid fleet-grid-${level}${layout.cell.height > 140 * room.scale && level === "cards" ? " fleet-grid-few" : ""}`}
      style={{ height: `${layout.height}px` }}
    >
      {layout.blocks.map(
        (placed) =>
          placed.block.label !== "" && (
            <BlockLabel key={placed.block.key} placed={placed} desk={desk} arrangement={arrangement} />
          ),
      )}
      <div
        ref={surface}
        class="fleet-grid-surface"
        role="listbox"
        aria-multiselectable="true"
        aria-label={`Handsets, ${arrangement.order.length}`}
        aria-describedby="fleet-keys"
        aria-activedescendant={focused === undefined ? undefined : idOf(focused)}
        tabIndex={0}
        {...handlers}
      >
        {level === "cards" ? (
          <HandsetCards desk={desk} arrangement={arrangement} layout={layout} surface={surface} focused={focused} />
        ) : (
          <>
            <Pixels desk={desk} arrangement={arrangement} chosen={chosen} room={room} query={query} />
            {focused !== undefined && (
              <div
                id={idOf(focused)}
                role="option"
                class="design-unseen"
                aria-selected={desk.selection.has(focused)}
                aria-posinset={(arrangement.positions[focused] ?? 0) + 1}
                aria-setsize={arrangement.order.length}
                aria-label={handsetSentence(desk.model, focused)}
              />
            )}
          </>
        )}
        {openedPlace !== undefined && <div class="fleet-opened" aria-hidden="true" style={px(openedPlace)} />}
        {focusPlace !== undefined && isFocusSeen && (
          <div class="fleet-focus" aria-hidden="true" style={px(focusPlace)} />
        )}
        {tipPlace !== undefined && pointed !== focused && (
          <div class="fleet-hover" aria-hidden="true" style={px(tipPlace)} />
        )}
        {dragged !== undefined && <div class="fleet-lasso" aria-hidden="true" style={px(dragged)} />}
      </div>
      {tipPlace !== undefined && dragged === undefined && pointed !== undefined && (
        <HandsetTip desk={desk} index={pointed} place={tipPlace} width={layout.width} />
      )}
    </div>
  );
}

function px({ left, top, width, height }: Place) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

/** Tiles or cells, on canvases. */
function Pixels({
  desk,
  arrangement,
  chosen: { layout, level },
  room,
  query,
}: Pick<Props, "desk" | "arrangement" | "chosen" | "room" | "query">) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<GridCanvas | undefined>(undefined);
  useEffect(() => {
    if (host.current === null) return undefined;
    const made = new GridCanvas(host.current);
    canvas.current = made;
    const stop = desk.onChange((change) => made.change(change));
    return () => {
      stop();
      made.close();
      canvas.current = undefined;
    };
  }, [desk]);
  const dark = isDark.value;
  const { selected } = desk;
  const { cell } = layout;
  const isNumberEnough = query.by === "group";
  const { count } = desk.model;
  const art = useMemo(() => {
    const [colours, ratio] = [gridColours(), devicePixelRatio];
    if (level === "cells") return new CellArt(desk.model, cell, colours, ratio);
    const font = getComputedStyle(document.body).fontFamily;
    return new TileArt(desk.model, cell, {
      colours,
      ratio,
      scale: cell.height / tileHeight(room.isTouch),
      font,
      isNumberEnough,
    });
  }, [desk, level, cell.width, cell.height, cell.gap, dark, isNumberEnough, room.isTouch, count]);
  useEffect(() => {
    const { model, selection } = desk;
    canvas.current?.show({ model, selection, arrangement, layout, art }, devicePixelRatio);
  }, [desk, arrangement, layout, art]);
  useEffect(() => canvas.current?.redrawAll(), [selected.value]);
  return <div ref={host} class="fleet-pixels" aria-hidden="true" />;
}
