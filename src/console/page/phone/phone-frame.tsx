import type { ComponentChildren } from "preact";
import type { HandsetDetails } from "../../protocol/index.js";
import { moment } from "../connection/moment.js";
import { clock as labClock, lab } from "../connection/state.js";
import { BatteryIcon, Icon, SignalIcon } from "../design/index.js";
import { IsoTime } from "../domain/time.jsx";
import { formatWall } from "../format/index.js";
import { deadWords } from "./words.js";
import "./phone-frame.css";

/** A phone: its frame, the name under its speaker, and its screen. */
export function PhoneFrame({
  title,
  subtitle,
  status,
  isDark = false,
  children,
}: {
  /** Name over the screen, and for screen readers. */
  readonly title: ComponentChildren;
  readonly subtitle?: ComponentChildren;
  /** The bar over the screen. */
  readonly status?: ComponentChildren;
  /** Whether the screen is off. */
  readonly isDark?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="phone-device">
      <div class={`phone-screen${isDark ? " phone-screen-off" : ""}`}>
        {status}
        <div class="phone-title">
          <span class="phone-title-name design-cut">{title}</span>
          {subtitle !== undefined && <span class="phone-title-sub design-aside design-number">{subtitle}</span>}
        </div>
        <div class="phone-content">{children}</div>
      </div>
    </div>
  );
}

/** The status bar of a handset: its own clock, airplane mode, network, signal, battery. */
export function HandsetStatusBar({ handset }: { readonly handset: HandsetDetails }) {
  const { power, conditions, data_link: link, clock_skew_ms: skewMs, unreachable_because: unreachable } = handset;
  const percent = Math.round(power.level);
  const network = conditions.airplane ? "" : link === "none" ? "No data" : link;
  return (
    <div class="phone-status" role="group" aria-label="Status bar of the phone">
      <span class="phone-status-clock design-number" title="The phone's own clock">
        {power.on ? ownTime(handset) : ""}
        {power.on && Math.abs(skewMs) > 60_000 && <span class="phone-status-wrong"> wrong</span>}
      </span>
      {power.on && (
        <span class="design-line">
          {conditions.paused && <Icon name="pause" label="The app is paused" />}
          {conditions.airplane ? (
            <Icon name="airplane" label="Airplane mode" />
          ) : (
            <>
              <span>{network}</span>
              <SignalIcon
                level={unreachable === null ? 4 : 0}
                label={unreachable === null ? "The carrier reaches it" : "No coverage"}
              />
            </>
          )}
          <span class="design-number">{percent}%</span>
          <BatteryIcon
            percent={percent}
            isCharging={power.charging}
            label={`Battery ${percent}%${power.charging ? ", charging" : ""}`}
          />
        </span>
      )}
    </div>
  );
}

/** The screen of a phone that is off. */
export function DeadScreen({ power }: { readonly power: HandsetDetails["power"] }) {
  return (
    <div class="phone-dead design-stack-tight">
      <Icon name={power.restarting ? "reload" : "power"} size="2rem" />
      <p class="phone-dead-title">The phone is off</p>
      <p>{deadWords(power)}</p>
      {power.boots_at !== null && (
        <p>
          It is on again at <IsoTime iso={power.boots_at} />.
        </p>
      )}
    </div>
  );
}

/**
 * The time of a phone's clock. It also advances between two readings of the handset, which are minutes apart at high
 * speed.
 */
function ownTime({ at, clock }: Pick<HandsetDetails, "at" | "clock">): string {
  const { startsAtMs, timezone } = lab.value ?? {};
  const nowMs = (startsAtMs ?? 0) + (labClock.value?.nowMs ?? 0);
  const passedMs = startsAtMs === undefined || moment.value !== undefined ? 0 : Math.max(0, nowMs - Date.parse(at));
  return formatWall(Date.parse(clock) + passedMs, "minute", timezone);
}
