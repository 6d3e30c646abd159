import type { Delay, DelayReason } from "../../wire/index.js";
import { formatCount, readableDuration } from "../number-format.js";

const reasons: Readonly<Record<DelayReason, string>> = {
  "no-coverage": "the phone has no coverage",
  "no-sim": "the SIM is out of the phone",
  congestion: "the carrier is congested",
  "recipient-off": "the recipient's phone is off",
  "no-network": "the phone has no data network",
  airplane: "the phone is in airplane mode",
  "switched-off": "the phone is off",
  paused: "the app is paused",
  unopened: "the app has not been opened since the phone started",
  "no-permission": "the app has no permission to read texts or calls",
  "app-stopped": "the app is not running",
  dozing: "Android lets the app work only now and then, to save power",
  unclaimed: "the phone is not claimed",
  backlog: "texts that the carrier held before it come first",
  "quiet-time": "the app waits between syncs while it has many reports",
  "sync-under-way": "another sync is under way",
  "request-lost": "the network lost the request",
  "answer-lost": "the network lost the answer; the service has the report, and the phone does not know it",
  "sync-timeout": "it took longer than the phone waits",
  "link-lost": "the phone had no data link when the answer came; the service has the report",
  "preferred-network": "the app waits for the kind of network that it prefers",
  "captive-portal": "a captive portal answers in place of the service",
  "clock-off": "the service refuses it, as the phone's clock is wrong by more than 15 min",
  "answer-late": "the app applies each answer one sync late",
  "service-failed": "the service fails (status 500)",
  "poison-command": "the service fails (status 500) at a text in the same sync",
  withheld: "it is not offered to the phone",
  "send-limit": "the app has used up its send limit",
  "radio-busy": "the radio sends the texts before it first",
  "no-service": "the radio has no service",
  "radio-off": "the radio is off",
  "generic-failure": "the radio reports a failure",
  "no-credit": "the SIM has no credit, which the radio reports as a failure",
  limit: "the SIM has reached its send limit",
};

/** A delay as a sentence about the delayed report or message. */
export function delayText({ kind, why, fromMs, untilMs, times }: Delay): string {
  const span = readableDuration(untilMs - fromMs);
  const reason = why === null ? "" : `: ${reasons[why]}`;
  switch (kind) {
    case "held-by-carrier":
      return `the carrier holds it for ${span}${reason}`;
    case "held-by-service":
      return `the service holds it for ${span}${reason}`;
    case "held-by-phone":
      return `the phone holds it for ${span}${reason}`;
    case "waited-for-sync":
      return `it waits ${span} for the phone's next sync${reason}`;
    case "sync-failed":
      return times === 1
        ? `the phone's sync${untilMs > fromMs ? `, begun ${span} before,` : ""} fails${reason}`
        : `${formatCount(times)} syncs of the phone fail within ${span}${reason}`;
    case "outbox":
      return `the phone keeps it for ${span} until the radio takes it${reason}`;
    case "radio-failed":
      return times === 1 ? `the radio refuses it${reason}` : `the radio refuses it ${times} times in ${span}${reason}`;
  }
  kind satisfies never;
}

/** Why something is delayed, or a phone does not relay, as a clause: `the app is paused`. */
export function phoneReason(why: DelayReason): string {
  return reasons[why];
}

/** The reason of a delay: `the phone has no data network`; undefined: unknown. */
export function reasonText({ why }: Delay): string | undefined {
  return why === null ? undefined : reasons[why];
}
