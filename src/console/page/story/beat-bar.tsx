import { Icon } from "../design/index.js";
import { clock, story } from "../connection/state.js";
import { linkTo } from "../navigation/routes.js";
import { beatsAt } from "./beats.js";
import { asking, jumpTo } from "./story-actions.js";
import "./beat-bar.css";

/** One line in the page's frame: the current beat, and a button for the next one. Empty without beats. */
export function BeatBar() {
  const view = story.value;
  const nowMs = clock.value?.nowMs ?? 0;
  if (view === undefined || view.beats.length === 0) return null;
  const beats = beatsAt(view, nowMs);
  const current = beats.find(({ state }) => state === "now");
  const next = beats.find(({ state }) => state === "next");
  const isBusy = view.jump !== null || asking.value !== undefined;
  return (
    <nav class="story-bar design-line" aria-label="Story">
      <a class="story-bar-now design-inline design-bare" href={linkTo("story")}>
        <Icon name="story" />
        <span class="design-cut">
          {view.jump === null ? (current?.name ?? view.name) : `Playing to ${view.jump.beat ?? "there"}…`}
        </span>
      </a>
      {next !== undefined && (
        <button
          type="button"
          class="story-bar-next design-inline design-bare"
          aria-disabled={isBusy}
          title={`Jump to ${next.name}`}
          // The name alone could equal that of another button, such as "Power cut" of the fleet.
          aria-label={`Jump to ${next.name}`}
          onClick={() => {
            if (!isBusy) void jumpTo(next.name);
          }}
        >
          {next.name}
          <Icon name="arrowRight" />
        </button>
      )}
    </nav>
  );
}
