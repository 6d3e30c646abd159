import { useState } from "preact/hooks";
import { fleet } from "../connection/state.js";
import { EmptyState, ErrorNote, Facts, LinkButton, Loading, Panel, ViewHead } from "../design/index.js";
import { StateBadge } from "../domain/state-badge.jsx";
import { linkTo, linkToHandset, type Route } from "../navigation/routes.js";
import { nameOfHandset } from "../domain/handset-name.jsx";
import { channelOf, displayNameOf, stateOfChannel } from "../domain/handset-lookup.js";
import { isPresenting } from "../navigation/presenting.js";
import { AudiencePanel } from "./audience-panel.jsx";
import { Knobs } from "./knobs.jsx";
import { PhoneScreen } from "../phone/phone-screen.jsx";
import { Queues } from "./queues.jsx";
import { SyncFacts } from "./sync-panel.jsx";
import { refreshLive, useLive } from "../connection/use-live.js";
import { channelWords, registrationWords, stateSentence } from "../phone/words.js";
import "./handset.css";

/** One handset: its screen, queues, syncs, and controls. */
export function HandsetView({ route }: { readonly route: Route }) {
  const selector = route.words.join("/");
  if (selector === "") return <NoHandset />;
  return <OneHandset key={selector} selector={selector} />;
}

function NoHandset({ name }: { readonly name?: string }) {
  const groups = fleet.value?.groups ?? [];
  return (
    <div class="design-stack">
      <ViewHead title="Handset" back={{ href: linkTo("fleet"), label: "Fleet" }} />
      <EmptyState
        icon="phone"
        title={name === undefined ? "Choose a handset" : `This lab has no handset ${name}`}
        actions={groups.slice(0, 6).map(({ name, firstIndex }) => (
          <LinkButton key={name} href={linkToHandset(`${name}/${firstIndex}`)}>
            {nameOfHandset(`${name}/${firstIndex}`)}
          </LinkButton>
        ))}
      >
        Open one from the fleet, or the first of a group.
      </EmptyState>
    </div>
  );
}

function OneHandset({ selector }: { readonly selector: string }) {
  const { data, error, isLoading, reload } = useLive(
    `/handset?of=${encodeURIComponent(selector)}`,
    channelOf(selector),
  );
  const [open, setOpen] = useState<string>();
  if (fleet.value !== undefined && channelOf(selector) === undefined) return <NoHandset name={selector} />;
  if (isLoading) return <Loading label="Loading the handset" lines={8} />;
  if (data === undefined) {
    return (
      <div class="design-stack">
        <ViewHead title={nameOfHandset(selector)} back={{ href: linkTo("fleet"), label: "Fleet" }} />
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      </div>
    );
  }
  const { phone, channel, profile, carrier, delivery_url: url, conditions } = data;
  const state = stateOfChannel(channel);
  const groupName = displayNameOf(data.selector);
  return (
    <div class="handset-view design-grid">
      <ViewHead
        title={nameOfHandset(data.selector)}
        back={{ href: linkTo("fleet"), label: "Fleet" }}
        about={
          <span class="design-row">
            {state !== undefined && <StateBadge state={state} />}{" "}
            {groupName !== undefined && <strong class="for-engineers">{data.selector}</strong>} {stateSentence(data)}
          </span>
        }
        actions={
          <>
            <LinkButton icon="events" href={linkTo("events", [], { handset: data.selector })}>
              Events
            </LinkButton>
            <LinkButton kind="main" icon="person" href={linkTo("person", [], { with: data.selector })}>
              Text it as a person
            </LinkButton>
          </>
        }
      />
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      <div class="handset-columns design-grid">
        <div class="handset-phone">
          <PhoneScreen handset={data} open={open} onOpen={setOpen} />
        </div>
        {isPresenting.value ? (
          <div class="handset-side design-grid">
            <AudiencePanel handset={data} onDone={refreshLive} />
          </div>
        ) : (
          <div class="handset-side design-grid">
            <Panel title="Change it">
              <Knobs handset={data} onDone={refreshLive} />
            </Panel>
            <Panel title="Queues">
              <Queues handset={data} />
            </Panel>
            <Panel title="Syncs">
              <SyncFacts handset={data} />
            </Panel>
            <Panel title="About">
              <Facts
                facts={[
                  ["Number", <span class="design-number">{phone}</span>],
                  ["Channel", channelWords(data)],
                  ["Phone", registrationWords(data)],
                  ["Profile", profile],
                  ["Carrier", carrier],
                  ...(conditions.solar === 0
                    ? []
                    : [["Solar panel", solarWords(data.power.solar_per_hour, conditions)] as const]),
                  ["Latency", conditions.latency ?? "From the profile"],
                  [
                    "Lost syncs",
                    conditions.loses === 0 ? "None by the link" : `${Math.round(conditions.loses * 100)}%`,
                  ],
                  ["Events go to", url ?? "None: the channel has no delivery URL"],
                ]}
              />
            </Panel>
          </div>
        )}
      </div>
    </div>
  );
}

/** `12% an hour now, of 30% under a high sun, clouds 20% to 90%` */
function solarWords(perHour: number, { solar, clouds }: { readonly solar: number; readonly clouds: string }): string {
  const sky = clouds === "0%" ? "" : `, clouds ${clouds}`;
  return `${perHour}% an hour now, of ${Math.round(solar * 10) / 10}% under a high sun${sky}`;
}
