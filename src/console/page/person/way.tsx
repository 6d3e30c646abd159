import { useRef } from "preact/hooks";
import type { HandsetDetails, TextWay } from "../../protocol/index.js";
import { EmptyState, Icon, type IconName } from "../design/index.js";
import { formatDuration } from "../format/index.js";
import { HostileText } from "../phone/thread.jsx";
import { IsoTime, atMsOf } from "../domain/time.jsx";
import { linkToChain } from "../navigation/routes.js";
import { type StepArrivals, arrivalsOf, stepsOf, type WayStep } from "./way-steps.js";
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
  handset,
  details,
}: {
  readonly way: TextWay | null;
  readonly handset: string;
  readonly details: HandsetDetails | undefined;
}) {
  const arrivals = useRef<StepArrivals | undefined>(undefined);
  if (way === null) {
    arrivals.current ??= { key: "", done: 0, places: [] };
    return (
      <EmptyState icon="send" title="No text yet">
        Write one on the person's phone. This panel then shows each step to {handset}, the service and the receiver, and
        the answer.
      </EmptyState>
    );
  }
  const steps = stepsOf(way, details);
  const began = atMsOf(way.entry.sent_at ?? way.entry.at);
  const key = `${began} ${way.entry.text}`;
  const { places } = (arrivals.current = arrivalsOf(arrivals.current, key, steps));
  return (
    <div class="design-grid">
      <blockquote class="person-way-text">
        <HostileText text={way.entry.text} />
      </blockquote>
      <ol role="list">
        {steps.map((step, index) => (
          <li
            key={`${key} ${index}`}
            class={`person-way-step person-way-${step.state}${places[index] === undefined ? "" : " person-way-arriving"}`}
            style={{ "--place": places[index] ?? 0 }}
          >
            <span class="person-way-mark">
              <Icon name={looks[step.state].icon} label={looks[step.state].word} />
            </span>
            <span class="person-way-words">
              <span class="person-way-name">
                {step.name}
                {step.message !== null && (
                  <>
                    {" "}
                    <a href={linkToChain(step.message)}>Chain</a>
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

/** Whether to show a note: the reason for a wait is hidden once the step is done. */
function noteShows({ state, name }: WayStep): boolean {
  return state !== "done" || /^(Receiver|Answer)/.test(name);
}
