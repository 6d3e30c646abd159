import { useMemo, useRef, useState } from "preact/hooks";
import type { PersonDetails, TextWay } from "../../protocol/index.js";
import { fleet } from "../connection/state.js";
import { Button, EmptyState, ErrorNote, LinkButton, Loading, Panel, Tabs, ViewHead } from "../design/index.js";
import { channelOf } from "../domain/handset-lookup.js";
import { HandsetName, nameOfHandset } from "../domain/handset-name.jsx";
import { atMsOf } from "../domain/time.jsx";
import { HeldTextsContext, type IsTextHeld } from "../phone/held-texts.js";
import { CallLog, PhoneScreen } from "../phone/phone-screen.jsx";
import { PhoneFrame } from "../phone/phone-frame.jsx";
import { Thread } from "../phone/thread.jsx";
import { RequestError } from "../connection/lab-client.js";
import { refreshLive, useLive } from "../connection/use-live.js";
import { linkTo, linkToChain, linkToHandset, replaceWith } from "../navigation/routes.js";
import { CallButtons, Composer } from "./composer.jsx";
import { isPresenting } from "../navigation/presenting.js";
import { followed, followsTexts, followTexts, startFollowing } from "./follow.js";
import { HandsetChooser } from "./handset-chooser.jsx";
import { useFollowed } from "./use-followed.js";
import { useWayShown } from "./use-way-shown.js";
import { suggestionsAfter } from "./suggestions.js";
import { Way } from "./way.jsx";
import { drawnSteps, stepsOf, type WayStep } from "./way-steps.js";
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
            {name !== null && selector !== phone && <span class="for-engineers"> · {selector}</span>}
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
  const steps = useMemo(() => (way === null ? [] : stepsOf(way, details.data)), [way, details.data]);
  const began = way === null ? undefined : atMsOf(way.entry.sent_at ?? way.entry.at);
  const key = way === null ? "" : `${began} ${way.entry.text}`;
  const shown = useWayShown(talk.data === undefined ? undefined : key, steps);
  const end = drawnSteps(steps, shown).at(-1)?.state;
  const hasArrived = end !== undefined && end !== "now" && end !== "to-come";
  const isFollowed = began !== undefined && followed.value !== undefined && began >= followed.value.sinceMs - 1;
  useFollowed(`${began} ${shown}`, isFollowed && hasArrived);
  const isHeld = useMemo(() => heldBy(way, steps, shown), [way, steps, shown]);
  const place = nameOfHandset(handset);
  const newest = talk.data?.results.find((entry) => !isHeld(entry, "person"));
  const suggestions = useMemo(() => suggestionsAfter(newest, person.suggested), [newest?.at, newest?.text, person]);
  return (
    <HeldTextsContext.Provider value={isHeld}>
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
                { name: "texts", label: `Texts with ${place}` },
                { name: "calls", label: "Calls" },
              ]}
            >
              {tab === "texts" ? (
                <Thread
                  path={path}
                  channel={channel}
                  request={talk}
                  owner="person"
                  empty="Write the first text below."
                />
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
            {tab === "texts" && <Composer who={who} handset={handset} onSent={refreshLive} suggestions={suggestions} />}
          </PhoneFrame>
        </section>
        <section class="person-column person-middle" aria-label="The path of the newest text">
          <Panel
            title="On its way"
            about="The newest text of this person, step by step."
            actions={
              <>
                <Button
                  size="small"
                  icon={followed.value === undefined ? "clock" : "play"}
                  isPressed={followsTexts.value}
                  title="While a text travels, the clock runs at 1×; then at its speed again"
                  onPress={() => {
                    followTexts(!followsTexts.value);
                    if (followsTexts.value && way !== null && !hasArrived) void startFollowing(began);
                  }}
                >
                  {followed.value === undefined ? "Follow this text" : "Following at 1×"}
                </Button>
                {way !== null && way.entry.id !== null && !isPresenting.value && (
                  <LinkButton size="small" icon="chain" href={linkToChain(way.entry.id)}>
                    Open chain
                  </LinkButton>
                )}
              </>
            }
          >
            <Way way={way} steps={steps} shown={shown} handset={place} />
          </Panel>
        </section>
        <section class="person-column" aria-label="The handset's phone">
          <h2 class="person-column-title design-aside">
            {isPresenting.value ? "The phone" : "The handset"}{" "}
            <a href={linkToHandset(handset)}>
              <HandsetName of={handset} />
            </a>
          </h2>
          {details.data === undefined ? (
            <Loading label="Loading the handset" />
          ) : (
            <PhoneScreen handset={details.data} open={open} onOpen={setOpen} />
          )}
        </section>
      </div>
    </HeldTextsContext.Provider>
  );
}

/** The texts that the drawn way has not brought to a phone yet. */
function heldBy(way: TextWay | null, steps: readonly WayStep[], shown: number): IsTextHeld {
  if (way === null) return () => false;
  const { entry } = way;
  const began = Date.parse(entry.sent_at ?? entry.at);
  const coming = steps.slice(shown).flatMap(({ brings }) => brings ?? []);
  const isOwnComing = coming.some(({ to, message }) => to === "handset" && message === undefined);
  return (text, owner) => {
    if (text.from === "handset") return coming.some(({ to, message }) => to === owner && message === text.id);
    if (owner === "person" || text.sent_at === null) return false;
    const sent = Date.parse(text.sent_at);
    // A later text is not in the answer with the way yet.
    return sent > began || (isOwnComing && sent === began);
  };
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
