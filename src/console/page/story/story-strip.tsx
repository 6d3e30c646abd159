import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StoryView } from "../../protocol/index.js";
import { moment } from "../connection/moment.js";
import { clock, story } from "../connection/state.js";
import { Button, LinkButton } from "../design/index.js";
import { Time } from "../domain/time.jsx";
import { linkTo, route } from "../navigation/routes.js";
import { beatsAt, jumpProgress, type ShownBeat, type StoryMoment, storyMoment } from "./beats.js";
import { asking, beginAgain, cancelJump, playBeat } from "./story-actions.js";
import { StoryTrack } from "./story-track.jsx";
import "./story-strip.css";

/** Name of the scenario whose introduction was read: its strip is one line. */
const introduced = signal<string | undefined>(undefined);

/**
 * Above every view: what this scenario is, its current beat, and a button for the next one. It is large until the first
 * press or key, then one line. Absent for a scenario without beats.
 */
export function StoryStrip() {
  const view = story.value;
  useIntroduced(view);
  if (view === undefined || view.beats.length === 0) return null;
  // The view Story has the introduction and the track itself.
  const isInStory = route.value.view === "story";
  const isLarge = introduced.value !== view.name && !isInStory;
  const nowMs = clock.value?.nowMs ?? 0;
  const beats = beatsAt(view, nowMs);
  const shown = storyMoment(view, {
    nowMs,
    isPaused: clock.value?.isPaused === true,
    isInPast: moment.value !== undefined,
  });
  const aboutNow = beats.find(({ state }) => state === "now")?.about ?? undefined;
  const looks = ["story-strip", isLarge && "story-strip-large", shown === undefined && "story-strip-before"];
  return (
    <nav class={looks.filter(Boolean).join(" ")} aria-label="Story">
      {isLarge && (
        <div class="story-strip-about">
          {view.about !== null && <p class="story-strip-name">{view.name}</p>}
          <p class="story-strip-sentence">{view.about ?? view.name}</p>
        </div>
      )}
      {shown !== undefined && <Current view={view} shown={shown} about={aboutNow} nowMs={nowMs} />}
      <div class="story-strip-track">
        {moment.value === undefined && !isInStory ? (
          <StoryTrack view={view} beats={beats} nowMs={nowMs} hasLabels={isLarge} />
        ) : (
          <p class="design-aside design-cut">{aboutNow}</p>
        )}
      </div>
      <Next view={view} beats={beats} isLarge={isLarge} />
    </nav>
  );
}

/** The beat that plays, or the target of a jump. */
function Current({
  view: { jump, about: aboutAll },
  shown: { label, name },
  about,
  nowMs,
}: {
  readonly view: StoryView;
  readonly shown: StoryMoment;
  readonly about: string | undefined;
  readonly nowMs: number;
}) {
  return (
    <a class="story-strip-now" href={linkTo("story")} title={about ?? aboutAll ?? undefined}>
      <span class="story-strip-label">{label}</span>
      <span class="story-strip-beat design-cut">
        {name ?? (jump !== null && <Time atMs={jump.toMs} show="minute" />)}
      </span>
      {jump !== null && (
        <span class="story-strip-label design-number">{Math.round(100 * jumpProgress(jump, nowMs))}%</span>
      )}
    </a>
  );
}

/** The next beat with its time, and the button that plays to it. */
function Next({
  view,
  beats,
  isLarge,
}: {
  readonly view: StoryView;
  readonly beats: readonly ShownBeat[];
  readonly isLarge: boolean;
}) {
  const next = beats.find(({ state }) => state === "next");
  if (view.jump !== null) {
    return (
      <div class="story-strip-next">
        <Button size="small" icon="cross" onPress={() => void cancelJump()}>
          Cancel
        </Button>
      </div>
    );
  }
  const isInPast = moment.value !== undefined;
  if (next === undefined) return <AfterLast view={view} isInPast={isInPast} />;
  const why = isInPast
    ? "The page shows the past: go back to now first"
    : view.state === "stopped"
      ? "The scenario is stopped"
      : undefined;
  return (
    <div class="story-strip-next">
      <span class="story-strip-coming">
        <span class="story-strip-label">
          Next at <Time atMs={next.atMs} show="minute" />
        </span>
        <span class="story-strip-beat design-cut">{next.name}</span>
      </span>
      <Button
        kind={isLarge ? "main" : "plain"}
        size={isLarge ? "normal" : "small"}
        icon="play"
        isBusy={asking.value === "jump"}
        isDisabled={why !== undefined || asking.value !== undefined}
        title={why ?? `Play to ${next.name}: what lies between is played as fast as possible`}
        onPress={() => void playBeat(next.name)}
      >
        Play<span class="design-unseen"> {next.name}</span>
      </Button>
    </div>
  );
}

/** After the last beat: when the scenario ends, and a way back to its moments. */
function AfterLast({ view, isInPast }: { readonly view: StoryView; readonly isInPast: boolean }) {
  const isOver = view.state !== "playing" && !isInPast;
  return (
    <div class="story-strip-next">
      {view.lastsMs !== null && !isOver && (
        <span class="story-strip-label">
          {view.isRepeating ? "Begins again at" : "Ends at"} <Time atMs={view.lastsMs} show="minute" />
        </span>
      )}
      {isOver && view.refusal === null ? (
        <Button
          size="small"
          icon="reload"
          isBusy={asking.value === "again"}
          isDisabled={asking.value !== undefined}
          onPress={() => void beginAgain()}
        >
          Begin again
        </Button>
      ) : (
        <LinkButton size="small" href={linkTo("story")}>
          All moments
        </LinkButton>
      )}
    </div>
  );
}

/** Ends the introduction after the first press or key. Afterwards, so that nothing moves away under the pointer. */
function useIntroduced(view: StoryView | undefined): void {
  const name = view?.name;
  useEffect(() => {
    if (name === undefined || introduced.peek() === name) return undefined;
    const end = (event: Event): void => {
      if (event instanceof KeyboardEvent && /^(Tab|Shift|Control|Alt|Meta|Escape)$/.test(event.key)) return;
      setTimeout(() => (introduced.value = name));
    };
    addEventListener("click", end);
    addEventListener("keydown", end);
    return () => {
      removeEventListener("click", end);
      removeEventListener("keydown", end);
    };
  }, [name]);
}
