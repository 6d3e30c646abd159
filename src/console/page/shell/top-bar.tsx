import { useComputed } from "@preact/signals";
import { apiToken } from "../connection/lab-client.js";
import { serverPath } from "../connection/server-address.js";
import { connection, fleet, lab, liveLog, points, run } from "../connection/state.js";
import { labToken } from "../connection/token.js";
import { Icon, type IconName, Menu, theme, type Theme, toastFailed } from "../design/index.js";
import { moment } from "../connection/moment.js";
import { readyPast } from "../connection/past-state.js";
import { failedOutcomes } from "../domain/outcome-look.js";
import { receiverTrouble } from "../domain/receiver-health.js";
import { formatPercent } from "../format/index.js";
import { firstViewOf } from "../navigation/first-view.js";
import { isPresenting, present } from "../navigation/presenting.js";
import { linkTo } from "../navigation/routes.js";
import { letterKeys } from "./shortcuts.js";
import "./top-bar.css";

/** The page's first line: name of the lab, receiver, and tools. */
export function TopBar({ onJump, onHelp }: { readonly onJump: () => void; readonly onHelp: () => void }) {
  const facts = lab.value;
  return (
    <header class="shell-top design-line">
      <a
        class="shell-brand design-line"
        href={linkTo(facts === undefined ? "fleet" : firstViewOf(facts, fleet.value?.groups ?? []))}
      >
        <BrandMark />
        <span class="shell-brand-words">
          <strong class="design-cut">{facts?.name ?? "Handset Lab"}</strong>
          {facts?.mode === "run" && <span class="shell-brand-mode">run</span>}
        </span>
      </a>
      <ConnectionState />
      <Receiver />
      <ReceiverTrouble />
      <div class="shell-tools design-line">
        <button type="button" class="shell-jump" onClick={onJump} aria-label="Jump to a handset, a person or a view">
          <Icon name="search" />
          <span class="shell-jump-words">Jump to…</span>
          <kbd>{letterKeys.value === "on" ? "/" : "Ctrl K"}</kbd>
        </button>
        {isPresenting.value ? <LeavePresenting /> : <ExplorerButton />}
        <ThemeMenu />
        <button type="button" class="shell-tool" onClick={onHelp} title="Keys and help" aria-label="Keys and help">
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/** The default delivery URL, now or at the shown moment of the past. */
function Receiver() {
  const facts = lab.value;
  const past = moment.value === undefined ? undefined : readyPast();
  if (facts === undefined) return null;
  const url = past === undefined ? facts.receiver : past.receiver;
  const isBundled = facts.isBundledReceiver && url === facts.receiver;
  return (
    <span
      class="shell-receiver design-inline design-cut"
      title={past === undefined ? "Where events are sent" : "Where events were sent"}
    >
      <Icon name="arrowRight" />
      <span class="design-unseen">{past === undefined ? "Events go to " : "Events went to "}</span>
      <span class="design-cut">
        {url === null ? "no receiver" : isBundled ? "bundled receiver" : url.replace(/^https?:\/\/|\/$/g, "")}
      </span>
    </span>
  );
}

/** Warns that the receiver fails, with the cause. The states of phones do not show it. */
function ReceiverTrouble() {
  const trouble = useComputed(() =>
    moment.value === undefined ? receiverTrouble(points.value, liveLog.value) : undefined,
  );
  if (trouble.value === undefined) return null;
  const { state, failed, attempts, cause } = trouble.value;
  if (isPresenting.value) {
    return (
      <span class={`shell-trouble design-inline shell-trouble-${state}`} role="status">
        <Icon name="warning" />
        <span class="shell-trouble-words design-cut">
          {state === "down" ? "The application is down" : "The application often fails"}
        </span>
      </span>
    );
  }
  const share = state === "down" ? "Receiver accepts nothing" : `${formatPercent(failed / attempts)} of attempts fail`;
  return (
    <a
      class={`shell-trouble design-inline shell-trouble-${state}`}
      href={linkTo("events", [], { outcome: failedOutcomes })}
      aria-label={`${share}${cause === undefined ? "" : `: ${cause}`}`}
      title={`Of the last ${attempts} attempts, ${failed} were not accepted${cause === undefined ? "" : `; most: ${cause}`}. Shows the events.`}
    >
      <Icon name="warning" />
      <span class="shell-trouble-words design-cut">
        {share}
        {cause !== undefined && `: ${cause}`}
      </span>
    </a>
  );
}

/** The logo, inline so that it has the page's colours and needs no request. */
export function BrandMark() {
  return (
    <svg class="shell-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect x="8" y="2" width="16" height="28" rx="3.5" fill="none" stroke="currentColor" stroke-width="2" />
      <path
        d="M12.5 19.5v-3M16 19.5v-6M19.5 19.5v-9"
        fill="none"
        stroke="var(--brand-green)"
        stroke-width="2.4"
        stroke-linecap="round"
      />
      <circle cx="16" cy="25.5" r="1.3" fill="currentColor" />
    </svg>
  );
}

const connectionLooks: Readonly<Record<typeof connection.value, { readonly word: string; readonly icon: IconName }>> = {
  connecting: { word: "Connecting", icon: "clock" },
  live: { word: "Live", icon: "dot" },
  silent: { word: "No answer", icon: "clock" },
  lost: { word: "Not connected", icon: "warning" },
  refused: { word: "Refused", icon: "cross" },
};

function ConnectionState() {
  const { word, icon } = connectionLooks[connection.value];
  if (connection.value === "live" && moment.value !== undefined) {
    return (
      <span class="shell-connection design-inline" title="The page shows the past. The lab answers.">
        <Icon name="rewind" />
        <span class="shell-connection-word">Past</span>
      </span>
    );
  }
  if (connection.value === "live" && run.value?.isOver === true) {
    return (
      <span class="shell-connection design-inline" title="The run is over. The lab answers.">
        <Icon name="stop" />
        <span class="shell-connection-word">Over</span>
      </span>
    );
  }
  return (
    <span
      class={`shell-connection design-inline shell-connection-${connection.value}`}
      title={`Connection to the lab: ${word.toLowerCase()}`}
    >
      <Icon name={icon} />
      <span class="shell-connection-word">{word}</span>
    </span>
  );
}

/** Opens the API explorer with both tokens. The address is built on the click, because a link would show the tokens. */
function ExplorerButton() {
  const open = async (): Promise<void> => {
    try {
      const tokens = new URLSearchParams({ token: await apiToken(), lab: labToken() });
      globalThis.open(`${serverPath("/api/v2/explorer/")}#${tokens}`, "_blank", "noopener,noreferrer");
    } catch (error) {
      toastFailed(error);
    }
  };
  return (
    <button
      type="button"
      class="shell-tool"
      onClick={() => void open()}
      title="API explorer, with the tokens filled in (opens a new tab)"
      aria-label="API explorer (opens a new tab)"
    >
      <Icon name="external" />
      <span class="shell-tool-words">API</span>
    </button>
  );
}

function LeavePresenting() {
  return (
    <button
      type="button"
      class="shell-tool"
      onClick={() => present(false)}
      title="Leave presenter mode (Esc)"
      aria-label="Presenting: leave presenter mode"
    >
      <Icon name="cross" />
      <span class="shell-tool-words">Presenting</span>
    </button>
  );
}

const themes: readonly { readonly value: Theme; readonly label: string; readonly icon: IconName }[] = [
  { value: "system", label: "As the system", icon: "monitor" },
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
];

function ThemeMenu() {
  const chosen = themes.find(({ value }) => value === theme.value) ?? themes[0];
  return (
    <Menu
      label="Colours"
      icon={chosen?.icon ?? "sun"}
      isIconOnly
      kind="quiet"
      align="end"
      items={themes.map(({ value, label }) => ({
        label,
        isChosen: value === theme.value,
        onChoose: () => (theme.value = value),
      }))}
    />
  );
}
