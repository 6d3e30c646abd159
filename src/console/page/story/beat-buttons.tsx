import { useState } from "preact/hooks";
import { ConfirmDialog, Icon, type IconName } from "../design/index.js";
import { Time } from "../domain/time.jsx";
import type { BeatState, ShownBeat } from "./beats.js";
import { asking, jumpTo } from "./story-actions.js";

const looks: Readonly<Record<BeatState, { readonly icon: IconName; readonly word: string }>> = {
  past: { icon: "check", word: "Over" },
  now: { icon: "play", word: "Now" },
  next: { icon: "arrowRight", word: "Next" },
  later: { icon: "clock", word: "Later" },
};

/** The beats as large buttons. A past beat restarts the scenario after a confirmation. */
export function BeatButtons({
  beats,
  isJumping,
  canGoBack,
}: {
  readonly beats: readonly ShownBeat[];
  readonly isJumping: boolean;
  readonly canGoBack: boolean;
}) {
  const [back, setBack] = useState<ShownBeat>();
  const isBusy = isJumping || asking.value !== undefined;
  const press = (beat: ShownBeat): void => {
    if (isBusy) return;
    if (beat.state === "past" || beat.state === "now") {
      if (canGoBack) setBack(beat);
    } else void jumpTo(beat.name);
  };
  return (
    <>
      <ol role="list" class="story-beats">
        {beats.map((beat) => {
          const { icon, word } = looks[beat.state];
          const isOver = beat.state === "past" || beat.state === "now";
          const isFixed = isBusy || (isOver && !canGoBack);
          return (
            <li key={beat.name}>
              <button
                type="button"
                class={`story-beat story-beat-${beat.state}`}
                aria-disabled={isFixed}
                aria-current={beat.state === "now" ? "step" : undefined}
                title={isOver && !canGoBack ? "This lab cannot go back: it keeps its account" : undefined}
                onClick={() => press(beat)}
              >
                <span class="story-beat-head">
                  <Time atMs={beat.atMs} show="minute" />
                  <span class="story-beat-state design-inline">
                    <Icon name={icon} />
                    {word}
                  </span>
                </span>
                <span class="story-beat-name">{beat.name}</span>
                {beat.about !== null && <span class="story-beat-about">{beat.about}</span>}
              </button>
            </li>
          );
        })}
      </ol>
      {back !== undefined && (
        <ConfirmDialog
          title={`Go back to “${back.name}”?`}
          confirm="Begin again and go there"
          cancel="Stay here"
          icon="rewind"
          onConfirm={() => {
            setBack(undefined);
            void jumpTo(back.name);
          }}
          onClose={() => setBack(undefined)}
        >
          <p>
            The scenario begins again and plays to this moment. Later changes and changes by hand are lost; tokens and
            addresses stay.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
