import { useState } from "preact/hooks";
import type { StoryView as Story } from "../../protocol/index.js";
import { storyMs } from "../connection/past-state.js";
import { useShownMoment } from "../connection/shown-moment.js";
import { clock, story } from "../connection/state.js";
import { Badge, Button, ConfirmDialog, EmptyState, Loading, Note, Panel, ViewHead } from "../design/index.js";
import { ExpectationsPanel } from "../domain/expectation-list.jsx";
import { Time } from "../domain/time.jsx";
import { BeatButtons } from "./beat-buttons.jsx";
import { beatsAt, jumpProgress } from "./beats.js";
import { ScenarioChooser } from "./scenario-chooser.jsx";
import { asking, beginAgain, cancelJump, stopScenario } from "./story-actions.js";
import { TrackEnds } from "./track-ends.jsx";
import { StoryTrack } from "./story-track.jsx";
import "./story.css";

/** The current scenario with beats, expectations and notes, and the scenarios that can be started. */
export function StoryView() {
  const view = story.value;
  const nowMs = clock.value?.nowMs ?? 0;
  useShownMoment(storyMs.value);
  if (view === undefined) return <Loading label="Loading the story" lines={6} />;
  const beats = beatsAt(view, nowMs);
  return (
    <div class="story">
      <ViewHead title={view.name} about={view.about ?? undefined} actions={<Actions view={view} />} />
      <State view={view} nowMs={nowMs} />
      <div>
        <StoryTrack view={view} beats={beats} nowMs={nowMs} hasLabels={false} />
        <TrackEnds view={view} nowMs={nowMs} />
      </div>
      {beats.length === 0 ? (
        <Note>
          This scenario has no beats: named moments to jump to. A step such as
          <code> {"{ at: 1h, beat: { name: Power cut } }"} </code> in its story makes one.
        </Note>
      ) : (
        <section aria-labelledby="story-beats">
          <h2 id="story-beats" class="story-heading">
            Jump to a moment
          </h2>
          <BeatButtons beats={beats} isJumping={view.jump !== null} canGoBack={view.refusal === null} />
        </section>
      )}
      <div class="story-columns">
        <ExpectationsPanel expectations={view.expectations} />
        <Notes notes={view.notes} />
      </div>
      <ScenarioChooser refusal={view.refusal} playing={view.name} />
    </div>
  );
}

function State({ view, nowMs }: { readonly view: Story; readonly nowMs: number }) {
  const { jump, state, isRepeating } = view;
  if (jump !== null) {
    return (
      <Note
        actions={
          <Button size="small" icon="cross" onPress={() => void cancelJump()}>
            Cancel the jump
          </Button>
        }
      >
        Playing to {jump.beat === null ? <Time atMs={jump.toMs} show="minute" /> : `“${jump.beat}”`}:{" "}
        {Math.round(100 * jumpProgress(jump, nowMs))}%
      </Note>
    );
  }
  if (state === "stopped") {
    return (
      <Note tone="warning">
        The scenario is stopped. Its phones, account and results stay unchanged until a scenario begins.
      </Note>
    );
  }
  if (state === "over") {
    return (
      <Note>
        The scenario is over
        {!isRepeating
          ? "; the phones continue without a story."
          : clock.value?.isPaused === true
            ? ". It begins again when the clock is resumed."
            : ": it begins again in a moment."}
      </Note>
    );
  }
  return null;
}

function Actions({ view }: { readonly view: Story }) {
  const [question, setQuestion] = useState<"again" | "stop">();
  const isBusy = asking.value !== undefined && asking.value !== "jump";
  const close = (): void => setQuestion(undefined);
  const act = (): void => {
    close();
    void (question === "stop" ? stopScenario() : beginAgain());
  };
  const title = view.refusal ?? undefined;
  return (
    <>
      {view.isRepeating && (
        <Badge icon="repeat" title="The scenario begins again automatically after its end">
          Repeats
        </Badge>
      )}
      {view.state !== "stopped" && (
        <Button
          icon="stop"
          isDisabled={view.refusal !== null || isBusy}
          title={title}
          onPress={() => setQuestion("stop")}
        >
          Stop
        </Button>
      )}
      <Button
        icon="reload"
        kind={view.state === "playing" ? "plain" : "main"}
        isBusy={asking.value === "again"}
        isDisabled={view.refusal !== null || isBusy}
        title={title}
        onPress={() => (view.state === "playing" ? setQuestion("again") : void beginAgain())}
      >
        Begin again
      </Button>
      {question !== undefined && (
        <ConfirmDialog
          title={question === "stop" ? "Stop the scenario?" : "Begin again?"}
          confirm={question === "stop" ? "Stop it" : "Begin again"}
          cancel="Keep playing"
          kind={question === "stop" ? "danger" : "main"}
          onConfirm={act}
          onClose={close}
        >
          <p>
            {question === "stop"
              ? "The clock stops permanently, and open expectations fail. The page still shows the final state until a scenario begins."
              : "The scenario starts from its beginning. Its history and changes by hand are lost; tokens and addresses stay."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Notes({ notes }: { readonly notes: Story["notes"] }) {
  return (
    <Panel title="Notes">
      {notes.length === 0 ? (
        <EmptyState icon="edit" title="No notes yet">
          Beats and notes of the story appear here when their time comes.
        </EmptyState>
      ) : (
        // It scrolls: keys need the focus on it.
        <ol role="list" class="story-notes" tabIndex={0} aria-label="Notes, newest first">
          {notes.toReversed().map(({ atMs, text }, index) => (
            <li key={notes.length - index}>
              <Time atMs={atMs} show="minute" />
              <span>{text}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
