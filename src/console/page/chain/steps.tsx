import { useState } from "preact/hooks";
import { Button, Icon } from "../design/index.js";
import { eventLabel } from "../domain/event-words.js";
import { HandsetName } from "../domain/handset-name.jsx";
import { Sentence } from "../domain/sentence.jsx";
import { Time } from "../domain/time.jsx";
import { formatDuration } from "../format/index.js";
import { isPresenting } from "../navigation/presenting.js";
import { linkToChain, linkToHandset, linkToPerson } from "../navigation/routes.js";
import type { Chain, ChainAttempt, ChainEvent, ChainStep } from "../../protocol/index.js";
import { Exchange } from "./exchange.jsx";
import { foldCopies, type ShownStep } from "./fold-copies.js";
import { plainWords } from "./plain-words.js";
import { lookOf } from "./step-looks.js";

/** Shortest gap between two steps that is shown. Virtual milliseconds. */
const GAP_MS = 1000;

/** The steps of a chain on a line, oldest first, with the gaps between them. Many copies are folded. */
export function Steps({ chain }: { readonly chain: Chain }) {
  const [isWhole, setIsWhole] = useState(false);
  const events = new Map(chain.events.map((event) => [event.id, event]));
  return (
    <ol role="list">
      {foldCopies(chain, isWhole).map((shown, index) =>
        shown.kind === "step" ? (
          <Step
            key={index}
            step={shown.step}
            gapMs={shown.gapMs}
            event={shown.step.event === null ? undefined : events.get(shown.step.event)}
            isAsked={shown.step.kind === "event" && shown.step.event === chain.id}
          />
        ) : (
          <li key={index} class="chain-step">
            <span class="chain-mark chain-mark-fold">
              <Icon name="copy" />
            </span>
            <div class="chain-step-body design-row">
              <span>{foldWords(shown)}</span>
              <Button size="small" onPress={() => setIsWhole(true)}>
                Show all steps
              </Button>
            </div>
          </li>
        ),
      )}
    </ol>
  );
}

function foldWords({ copies, steps }: Extract<ShownStep, { kind: "fold" }>): string {
  const [first, last] = [copies[0], copies.at(-1)];
  if (first === undefined) return `${steps.length} ${steps.length === 1 ? "step" : "steps"} of further copies`;
  if (copies.length === 1) return `Another copy: ${first}`;
  return `${copies.length} more copies: ${first} to ${last}`;
}

function Step({
  step,
  gapMs,
  event,
  isAsked,
}: {
  readonly step: ChainStep;
  readonly gapMs: number;
  readonly event: ChainEvent | undefined;
  readonly isAsked: boolean;
}) {
  const look = lookOf(step);
  // `Event` names what it is only to those who know the service.
  const word = step.kind === "event" && event !== undefined && event.copy === null ? eventLabel(event.type) : look.word;
  const attempt = step.kind === "attempt" ? event?.attempts.find((one) => one.try === step.try) : undefined;
  const words = isPresenting.value ? plainWords(step, attempt) : sentence(step);
  return (
    <li class={isAsked ? "chain-step chain-step-asked" : "chain-step"} aria-current={isAsked ? "true" : undefined}>
      {gapMs >= GAP_MS && <p class="chain-gap design-aside">{formatDuration(gapMs)} later</p>}
      <span class="chain-mark" style={{ "--chain-tone": `var(--${look.tone})` }}>
        <Icon name={look.icon} />
      </span>
      <div class="chain-step-body">
        <p class="chain-step-head design-aside">
          <strong>{word}</strong>
          <Time atMs={step.at_ms} />
          {step.for_ms !== null && step.for_ms >= GAP_MS && <span>took {formatDuration(step.for_ms)}</span>}
        </p>
        {words !== undefined && (
          <p class="chain-words">
            <Sentence text={words} />
          </p>
        )}
        <Links step={step} isAsked={isAsked} />
        {attempt !== undefined && event !== undefined && (
          <Exchange attempt={attempt} next={nextOf(event, attempt)} fields={event.fields} isOpen={false} />
        )}
        {attempt?.outcome === "accepted" && event?.reply?.kind === "valid" && (
          <p class="chain-words">
            {`The answer contains ${event.messages.length === 1 ? "a message, shown next" : `${event.messages.length} messages, shown next`}.`}
          </p>
        )}
      </div>
    </li>
  );
}

function nextOf(event: ChainEvent, { try: own }: ChainAttempt): "made" | "due" | "none" {
  if (event.attempts.some((one) => one.try > own)) return "made";
  return event.is_open ? "due" : "none";
}

function Links({ step, isAsked }: { readonly step: ChainStep; readonly isAsked: boolean }) {
  const { handset, person, event, message, copy_of: copyOf, kind } = step;
  const isOwn = kind === "attempt" || kind === "reply";
  if (isOwn) return null;
  return (
    <p class="chain-links">
      {handset !== null && (
        <a href={linkToHandset(handset)}>
          <HandsetName of={handset} />
        </a>
      )}
      {person !== null && <a href={linkToPerson(person.selector ?? person.phone)}>{nameOf(person)}</a>}
      {event !== null && !isAsked && kind === "event" && <a href={linkToChain(event)}>Event {event}</a>}
      {message !== null && <a href={linkToChain(message)}>Message {message}</a>}
      {copyOf !== null && <a href={linkToChain(copyOf)}>Original {copyOf}</a>}
    </p>
  );
}

function nameOf({ name, selector, phone }: NonNullable<ChainStep["person"]>): string {
  return name ?? selector ?? phone;
}

/** Capitalises the first letter, unless the text begins with a selector. */
function sentence({ text, kind }: ChainStep): string {
  if (kind === "text" || kind === "call" || kind === "received" || kind === "taken" || kind === "heard") return text;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
