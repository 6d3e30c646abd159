import { useState } from "preact/hooks";
import {
  Button,
  CopyButton,
  EmptyState,
  ErrorNote,
  LinkButton,
  Loading,
  Note,
  Panel,
  ViewHead,
} from "../design/index.js";
import { eventLabel } from "../domain/event-words.js";
import { Sentence } from "../domain/sentence.jsx";
import { isPresenting } from "../navigation/presenting.js";
import { moment } from "../connection/moment.js";
import { useRequest } from "../connection/use-request.js";
import { linkTo, linkToChain, type Route } from "../navigation/routes.js";
import type { Chain } from "../../protocol/index.js";
import { Copies } from "./copies.jsx";
import { ResendDialog } from "./resend-dialog.jsx";
import { ScenarioDialog } from "./scenario-dialog.jsx";
import { Steps } from "./steps.jsx";
import "./chain.css";

/** Polling interval of a chain that is not over. Milliseconds. */
const GROWS_MS = 3000;

/** The causes and effects of an event, message or call. */
export function ChainView({ route }: { readonly route: Route }) {
  const id = route.words.join("/");
  if (id === "") {
    return (
      <EmptyState
        icon="chain"
        title="No event is chosen"
        actions={
          <LinkButton href={linkTo("events")} kind="main">
            Open the events
          </LinkButton>
        }
      >
        Choose an event to see its causes and effects.
      </EmptyState>
    );
  }
  return <ChainOf key={id} id={id} />;
}

function ChainOf({ id }: { readonly id: string }) {
  const asked = useRequest(`/chain?id=${encodeURIComponent(id)}`, { every: GROWS_MS });
  const [dialog, setDialog] = useState<"resend" | "scenario">();
  const chain = asked.data;
  const isUnknown = asked.error?.status === 404;
  const event = chain?.events.find((one) => one.id === chain.id);
  const last = event?.attempts.at(-1);
  return (
    <div class="chain design-stack">
      <ViewHead
        back={{ href: linkTo("events"), label: "Events" }}
        title={titleOf(id, chain)}
        about={
          chain !== undefined && (
            <Sentence
              text={
                isPresenting.value
                  ? plainAbout(chain.about)
                  : chain.about.replace(/^(mt_\w+) of message/, "$1: message")
              }
            />
          )
        }
        actions={
          chain !== undefined &&
          !isPresenting.value && (
            <>
              {last !== undefined && (
                <CopyButton text={last.curl} label="Copy the last request as a curl command" size="normal">
                  Copy as curl
                </CopyButton>
              )}
              <CopyButton
                text={() => `${location.origin}${location.pathname}${linkToChain(chain.id)}`}
                label="Copy a link to this chain"
                size="normal"
              >
                Copy link
              </CopyButton>
              {event !== undefined && (
                <Button icon="send" isDisabled={moment.value !== undefined} onPress={() => setDialog("resend")}>
                  Send again
                </Button>
              )}
              <Button icon="story" onPress={() => setDialog("scenario")}>
                Make a scenario
              </Button>
            </>
          )
        }
      />
      {asked.isLoading && <Loading lines={8} />}
      {asked.error !== undefined &&
        (isUnknown ? (
          <EmptyState icon="search" title={`No event, message or call has the id ${id}`}>
            {asked.error.message}
          </EmptyState>
        ) : (
          <ErrorNote error={asked.error} onRetry={asked.reload} />
        ))}
      {chain !== undefined && (
        <>
          {chain.headline.length > 0 && (
            <section class="chain-headline" aria-label="In short">
              {chain.headline.map((line, index) => (
                <p key={index}>
                  <Sentence text={line} />
                </p>
              ))}
            </section>
          )}
          <Copies chain={chain} />
          <Panel
            title="What happened"
            {...(!isPresenting.value && {
              about: "In virtual time, oldest first. Attempts also show their duration in real time.",
            })}
            actions={
              <Button size="small" icon="reload" onPress={asked.reload}>
                Reload
              </Button>
            }
          >
            <Steps chain={chain} />
            {chain.events_left_out > 0 && (
              <Note>The requests of {chain.events_left_out} further events are left out: open each of them.</Note>
            )}
          </Panel>
        </>
      )}
      {dialog === "scenario" && <ScenarioDialog id={chain?.id ?? id} onClose={() => setDialog(undefined)} />}
      {dialog === "resend" && event !== undefined && (
        <ResendDialog
          id={event.id}
          url={last?.request.url ?? null}
          onClose={() => setDialog(undefined)}
          onSent={() => {
            // The answer takes time: the later polls show a slow receiver's.
            for (const ms of [300, 1500, 5000]) setTimeout(asked.reload, ms);
          }}
        />
      )}
    </div>
  );
}

/** The first sentence without numbers of phones and messages. */
function plainAbout(about: string): string {
  return about.replace(/ \(\+?\d+\)/g, "").replace(/^(mt_\w+ of )?message \d+/, "Message");
}

function titleOf(id: string, chain: Chain | undefined): string {
  if (isPresenting.value) {
    const event = chain?.events.find((one) => one.id === chain.id);
    return event === undefined ? "What happened" : eventLabel(event.type);
  }
  if (chain === undefined) return id.includes("/") ? `Event ${id}` : `Message ${id}`;
  return chain.id.includes("/") ? `Event ${chain.id}` : `Message ${chain.id}`;
}
