import { useRef, useState } from "preact/hooks";
import type { PersonDetails } from "../../protocol/index.js";
import { fleet } from "../connection/state.js";
import { EmptyState, ErrorNote, LinkButton, Loading, Panel, Tabs, ViewHead } from "../design/index.js";
import { channelOf } from "../domain/handset-lookup.js";
import { CallLog, PhoneScreen } from "../phone/phone-screen.jsx";
import { PhoneFrame } from "../phone/phone-frame.jsx";
import { Thread } from "../phone/thread.jsx";
import { RequestError } from "../connection/lab-client.js";
import { refreshLive, useLive } from "../connection/use-live.js";
import { linkTo, linkToChain, linkToHandset, replaceWith } from "../navigation/routes.js";
import { CallButtons, Composer } from "./composer.jsx";
import { HandsetChooser } from "./handset-chooser.jsx";
import { Way } from "./way.jsx";
import "./person.css";

/** A person's phone on the left, a handset's on the right, and the path of the newest text between them. */
export function PersonStage({ who, withHandset }: { readonly who: string; readonly withHandset: string | undefined }) {
  const path = encodeURIComponent(who);
  const person = useLive(`/person?who=${path}`, undefined);
  const heads = useLive(`/person/conversations?who=${path}`, undefined);
  // By default the handset of their newest text at the start. A later text with another handset does not change it,
  // because the user may be typing.
  const first = useRef<string | undefined>(undefined);
  if (person.data === undefined || (heads.data === undefined && heads.error === undefined)) {
    return (
      <div class="design-stack">
        <ViewHead title={who} back={{ href: linkTo("person"), label: "People" }} />
        {person.error === undefined ? (
          <Loading label="Loading the person" />
        ) : (
          <NoPerson who={who} error={person.error} onRetry={person.reload} />
        )}
      </div>
    );
  }
  const { phone, name, selector, home, known } = person.data;
  first.current ??= heads.data?.[0]?.handset ?? home ?? firstHandset();
  const handset = withHandset ?? first.current;
  return (
    <div class="person-stage design-grid">
      <ViewHead
        title={<bdi>{name ?? selector}</bdi>}
        back={{ href: linkTo("person", [], withHandset === undefined ? {} : { with: withHandset }), label: "People" }}
        about={
          <>
            {(name ?? selector) !== phone && <span class="design-number">{phone}</span>}
            {name !== null && selector !== phone && ` · ${selector}`}
            {!known && " New: the first text or call creates this person."}
          </>
        }
        actions={
          <HandsetChooser
            chosen={handset}
            recent={(heads.data ?? []).map((head) => head.handset)}
            onChoose={(chosen) => replaceWith(linkTo("person", [who], { with: chosen }))}
          />
        }
      />
      {handset !== undefined && <Pair key={handset} who={who} person={person.data} handset={handset} />}
    </div>
  );
}

function Pair({
  who,
  person,
  handset,
}: {
  readonly who: string;
  readonly person: PersonDetails;
  readonly handset: string;
}) {
  const channel = channelOf(handset);
  const of = encodeURIComponent(handset);
  const path = `/person/conversation?who=${encodeURIComponent(who)}&of=${of}&limit=30` as const;
  const talk = useLive(path, channel);
  const details = useLive(`/handset?of=${of}`, channel);
  const [open, setOpen] = useState<string | undefined>(person.phone);
  const [tab, setTab] = useState<"texts" | "calls">("texts");
  const { name, selector, phone } = person;
  const way = talk.data?.way ?? null;
  return (
    <>
      {talk.error !== undefined && <ErrorNote error={talk.error} onRetry={talk.reload} />}
      <div class="person-columns design-grid">
        <section class="person-column" aria-label="The person's phone">
          <h2 class="person-column-title design-aside">Their phone</h2>
          <PhoneFrame title={<bdi>{name ?? selector}</bdi>} {...((name ?? selector) !== phone && { subtitle: phone })}>
            <Tabs
              label="Contents of their phone"
              chosen={tab}
              onChoose={setTab}
              tabs={[
                { name: "texts", label: `Texts with ${handset}` },
                { name: "calls", label: "Calls" },
              ]}
            >
              {tab === "texts" ? (
                <Thread path={path} channel={channel} owner="person" empty="Write the first text below." />
              ) : (
                <>
                  <CallButtons who={who} handset={handset} onSent={refreshLive} />
                  <CallLog
                    path={`/person/calls?who=${encodeURIComponent(who)}&limit=30`}
                    channel={channel}
                    empty="No handset has reported a call."
                  />
                </>
              )}
            </Tabs>
            {tab === "texts" && <Composer who={who} handset={handset} onSent={refreshLive} />}
          </PhoneFrame>
        </section>
        <section class="person-column person-middle" aria-label="The path of the newest text">
          <Panel
            title="On its way"
            about="The newest text of this person, step by step."
            actions={
              way !== null && way.entry.id !== null ? (
                <LinkButton size="small" icon="chain" href={linkToChain(way.entry.id)}>
                  Open chain
                </LinkButton>
              ) : undefined
            }
          >
            <Way way={way} handset={handset} details={details.data} />
          </Panel>
        </section>
        <section class="person-column" aria-label="The handset's phone">
          <h2 class="person-column-title design-aside">
            The handset <a href={linkToHandset(handset)}>{handset}</a>
          </h2>
          {details.data === undefined ? (
            <Loading label="Loading the handset" />
          ) : (
            <PhoneScreen handset={details.data} open={open} onOpen={setOpen} />
          )}
        </section>
      </div>
    </>
  );
}

function firstHandset(): string | undefined {
  const group = fleet.value?.groups[0];
  return group === undefined ? undefined : `${group.name}/${group.firstIndex}`;
}

/** Shown when the lab has no such person, or has not answered. */
function NoPerson({
  who,
  error,
  onRetry,
}: {
  readonly who: string;
  readonly error: Error;
  readonly onRetry: () => unknown;
}) {
  if (!(error instanceof RequestError) || error.fields["who"] === undefined)
    return <ErrorNote error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      icon="person"
      title={`This lab has no person ${who}`}
      actions={<LinkButton href={linkTo("person")}>Choose a person</LinkButton>}
    >
      Choose a person of the lab, or enter any phone number.
    </EmptyState>
  );
}
