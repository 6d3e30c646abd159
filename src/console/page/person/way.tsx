import type { TextWay } from "../../protocol/index.js";
import { EmptyState, Icon, type IconName } from "../design/index.js";
import { formatDuration } from "../format/index.js";
import { HostileText } from "../phone/thread.jsx";
import { IsoTime, atMsOf } from "../domain/time.jsx";
import { linkToChain } from "../navigation/routes.js";
import { isPresenting } from "../navigation/presenting.js";
import { drawnSteps, type WayStep } from "./way-steps.js";
import "./way.css";

const looks: Readonly<Record<WayStep["state"], { readonly icon: IconName; readonly word: string }>> = {
  done: { icon: "check", word: "done" },
  now: { icon: "clock", word: "now" },
  "to-come": { icon: "dot", word: "to come" },
  none: { icon: "minus", word: "nothing to do" },
  stopped: { icon: "cross", word: "stops here" },
};

/** The path of a person's newest text: each step lights up when it happens. */
export function Way({
  way,
  steps,
  shown,
  handset,
}: {
  readonly way: TextWay | null;
  readonly steps: readonly WayStep[];
  /** Steps that are drawn as done. */
  readonly shown: number;
  /** Name of the handset. */
  readonly handset: string;
}) {
  if (way === null) {
    return (
      <EmptyState icon="send" title="No text yet">
        Write one on the person's phone. This panel then shows each step to {handset}, the service and the{" "}
        {isPresenting.value ? "application" : "receiver"}, and the answer.
      </EmptyState>
    );
  }
  const began = atMsOf(way.entry.sent_at ?? way.entry.at);
  const drawn = drawnSteps(steps, shown).map(isPresenting.value ? forAudience : (step) => step);
  return (
    <div class="design-grid">
      <blockquote class="person-way-text">
        <HostileText text={way.entry.text} />
      </blockquote>
      <ol role="list">
        {drawn.map((step, index) => (
          <li key={`${began} ${index}`} class={`person-way-step person-way-${step.state}`}>
            <span class="person-way-mark">
              <Icon name={looks[step.state].icon} label={looks[step.state].word} />
            </span>
            <span class="person-way-words">
              <span class="person-way-name">
                {step.name}
                {step.message !== null && (
                  <>
                    {" "}
                    <a class="for-engineers" href={linkToChain(step.message)}>
                      Chain
                    </a>
                  </>
                )}
              </span>
              {step.note !== null && step.state !== "to-come" && noteShows(step) && (
                <span class="person-way-note design-aside">{step.note}</span>
              )}
            </span>
            {step.at !== null && (
              <span class="person-way-time">
                <IsoTime iso={step.at} />
                {index > 0 && (
                  <span class="design-muted design-number">+{formatDuration(atMsOf(step.at) - began)}</span>
                )}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A step without engineering words. */
function forAudience(step: WayStep): WayStep {
  const name = audienceNames[step.name] ?? step.name;
  const isStatus = step.name === "Receiver answered" && step.state === "done";
  return { ...step, name, note: isStatus ? null : (step.note?.replace(/^The receiver/, "The application") ?? null) };
}

const audienceNames: Readonly<Record<string, string>> = {
  "Handset has it": "The phone has it",
  "Synced to the service": "The service has it",
  "Receiver answered": "The application answered",
  "Handset sent it": "The phone sent it",
};

/** Whether to show a note: the reason for a wait is hidden once the step is done. */
function noteShows({ state, name }: WayStep): boolean {
  return state !== "done" || /^(Receiver|Answer|The application)/.test(name);
}
