import type { HandsetDetails, OutboxMessage, TextEntry, WaitingReport } from "../../protocol/index.js";

/** Words for codes of the control API. Pure. */

/** Reasons of delays (`DelayReason` of the server), as clauses after "because". */
const reasons: Readonly<Record<string, string>> = {
  "no-coverage": "the phone has no coverage",
  "no-sim": "the SIM is out of the phone",
  congestion: "the carrier is congested",
  "recipient-off": "the recipient's phone is off",
  "no-network": "the phone has no data network",
  airplane: "the phone is in airplane mode",
  "switched-off": "the phone is off",
  paused: "the app is paused",
  unopened: "the app was not opened since the phone started",
  "no-permission": "the app has no permission to read texts or calls",
  "app-stopped": "the app is not running",
  dozing: "Android lets the app work only now and then",
  unclaimed: "the phone is not claimed",
  backlog: "texts that the carrier held come first",
  "quiet-time": "the app waits between syncs while it has many reports",
  "sync-under-way": "another sync is under way",
  "request-lost": "the network lost the last request",
  "answer-lost": "the network lost the last answer",
  "sync-timeout": "the last sync took longer than the phone waits",
  "link-lost": "the data link was gone when the answer came",
  "preferred-network": "the app waits for the kind of network that it prefers",
  "captive-portal": "a captive portal answers in place of the service",
  "clock-off": "the phone's clock is too wrong for the service",
  "answer-late": "the app applies each answer one sync late",
  "service-failed": "the service failed (status 500)",
  "poison-command": "the service fails (status 500) at a text in the same sync",
  withheld: "the service does not offer the message",
  "send-limit": "the app has used up its send limit",
  "radio-busy": "the radio sends the texts before it first",
  "no-service": "the radio has no service",
  "radio-off": "the radio is off",
  "generic-failure": "the radio reports a failure",
  "no-credit": "the SIM has no credit",
  limit: "the SIM has reached its send limit",
};

/** Sentences for causes of losses (`LossCause` of the server). */
const losses: Readonly<Record<string, string>> = {
  carrier: "The carrier lost it. Neither phone can know.",
  expired: "It waited at the carrier for longer than the carrier keeps texts.",
  moved: "Its channel belonged to another organisation, which has it: no event comes here.",
  "sim-swapped": "The SIM with its number was swapped for another: no phone gets it.",
  "no-such-person": "No phone has this number: the carrier dropped it.",
  "contact-gets-nothing": "The contact was blocked, deleted or opted out before a phone had it.",
  paused: "The app was paused: it never relays texts that arrive during a pause.",
  "no-permission": "The app had no permission to read texts: it never relays those that arrive meanwhile.",
  "wrong-ack": "The app took the acknowledgement of another report for its own, so it never reported this.",
  reset: "The reset of the app cleared its message table.",
  released: "Its channel was released: the service failed its queue, and the app cleared its message table.",
  unclaimed: "The phone was not claimed: the app drops what arrives.",
  "clock-mark": "The app skipped it: by the phone's clock it is older than a text that it has read.",
  "early-sent": "The app reported it as sent, and the radio never sent it.",
  skipped: "The app reported only a newer call.",
  "call-log-read": "The owner looked at the call log before the app did: the call is not new any more.",
  "call-log-cleared": "The owner cleared the call log before the app had read it.",
  busy: "The line of the handset was busy.",
  unreachable: "The phone was off, out of coverage or in airplane mode. It never knew.",
  "caller-off": "The caller's own phone was off.",
  "switched-off": "The phone went off during the call.",
  deduplicated: "The service treated it as a duplicate.",
  "ignored-by-service": "The service ignores it: it has no text.",
  withheld: "The service ignores it: its number was withheld.",
  "unknown-call-type": "The service ignores it: the call was neither answered nor missed.",
};

/** The sentence for a lost text or call. */
export function lossWords(cause: string | null): string {
  return losses[cause ?? ""] ?? `It was lost: ${cause ?? "the cause is not known"}.`;
}

/** `the phone is off`; null for no reason. */
export function reasonWords(why: string | null): string | null {
  return why === null ? null : (reasons[why] ?? why);
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The words for a text's state, under its bubble.
 *
 * @param owner - owner of the phone: a person's phone knows only that its texts were sent
 */
export function stateWords({ state, note, from }: TextEntry, owner: TextEntry["from"] = "handset"): string {
  if (owner === "person") return from === "person" ? "Sent" : "Received";
  switch (state) {
    case "on-the-way":
      return "On its way";
    case "held":
      return `Held by the carrier: ${reasonWords(note) ?? "the phone is out of reach"}`;
    case "on-phone":
      return note === null ? "Not synced yet" : `Not synced: ${reasonWords(note)}`;
    case "reported":
      return "Synced";
    case "at-service":
      return "Waits at the service";
    case "pending":
      return "Sending";
    case "retry":
      return note === null ? "Will retry" : `Failed ${note} ${note === "1" ? "time" : "times"}, will retry`;
    case "sent":
      return "Sent";
    case "delivered":
      return "Delivered";
    case "failed":
      return "Failed";
    case "lost":
      // The sending phone does not know of the loss.
      return "Sent";
    default:
      return state satisfies never;
  }
}

/** The reason why a message of the outbox waits. */
export function waitWords({ waits_for: waitsFor, until }: OutboxMessage, blockedBy: string | null): string {
  switch (waitsFor) {
    case "radio":
      return until === null ? "The radio never answers" : "The radio has it";
    case "retry-wait":
      return "Waits for its next try";
    case "blocked":
      return capitalised(reasonWords(blockedBy) ?? "the app does not work");
    case "send-limit":
      return "Android's limit of texts is reached";
    case "gap":
      return "Waits for the gap between texts";
    case "runner":
      return until === null ? "Goes with the next sync" : "Is next";
    case "acknowledgement":
      return "Done; its report is not acknowledged";
    default:
      return waitsFor satisfies never;
  }
}

const reportNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  mo_sms: ["text", "texts"],
  call: ["call", "calls"],
  mt_sent: ["sent report", "sent reports"],
  mt_dlvd: ["delivery report", "delivery reports"],
  mt_fail: ["failure report", "failure reports"],
  reset: ["reset", "resets"],
};

/** `2 texts, 1 call`; empty counts: `nothing`. */
export function countWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([type, count]) => `${count} ${reportName(type, count)}`);
  return words.length === 0 ? "nothing" : words.join(", ");
}

export function reportName(type: string, count = 1): string {
  const names = reportNames[type];
  return names === undefined ? type : names[count === 1 ? 0 : 1];
}

/** The reason why a report waits. */
export function reportWait({ applied, why, tried }: WaitingReport): string {
  if (applied) return "The service has it; the phone does not know";
  if (why !== null) return capitalised(reasonWords(why) ?? why);
  return tried ? "In a sync" : "Waits for the next sync";
}

/** What an audience wants to know of a phone: names and values without codes. */
export function audienceFacts({
  power,
  data_link: link,
  conditions,
  reports,
  outbox,
  at_service: atService,
  service,
}: Pick<HandsetDetails, "power" | "data_link" | "reports" | "at_service"> & {
  readonly conditions: Pick<HandsetDetails["conditions"], "mains" | "power_cut">;
  readonly outbox: Pick<HandsetDetails["outbox"], "pending" | "retry">;
  readonly service: Pick<HandsetDetails["service"], "alarms">;
}): [name: string, value: string][] {
  const onMains = conditions.mains && !conditions.power_cut;
  const source = onMains ? "plugged in" : power.solar_per_hour > 0 ? "on solar power" : "on its battery";
  const toSend = outbox.pending + outbox.retry + atService.count;
  return [
    ["Battery", `${Math.round(power.level)}%, ${power.on ? source : "the phone is off"}`],
    ["Network", power.on && link !== "none" ? "Connected" : "No connection"],
    [
      "Waits for the service",
      reports.count === 0 ? "Nothing" : reports.count === 1 ? "1 text or report" : `${reports.count} texts and reports`,
    ],
    ["Waits for people", toSend === 0 ? "Nothing" : toSend === 1 ? "1 message" : `${toSend} messages`],
    ["Alarm", service.alarms.length === 0 ? "None" : "The service has noticed that something is wrong"],
  ];
}

type Standing = Pick<HandsetDetails, "power" | "blocked_by" | "data_link"> & {
  readonly sync: { readonly last: Pick<NonNullable<HandsetDetails["sync"]["last"]>, "failed_by"> | null };
};

/** The state of a handset, in one sentence. */
export function stateSentence({ power, blocked_by: blocked, data_link: link, sync }: Standing): string {
  if (!power.on) return deadWords(power);
  if (blocked === "paused")
    return "The app is paused: nothing is relayed, and texts that arrive during the pause are lost.";
  if (blocked !== null) return `${capitalised(reasonWords(blocked) ?? blocked)}: nothing is relayed.`;
  const failedBy = sync.last?.failed_by ?? null;
  if (failedBy !== null) return `Its last sync failed, because ${reasonWords(failedBy)}: nothing is relayed since.`;
  return `It relays over ${link}.`;
}

/** The channel as the service knows it: its id, its UUID, and what is unusual about it. */
export function channelWords({ phone, uuid, service }: Pick<HandsetDetails, "phone" | "uuid" | "service">): string {
  const { relayer, active, number } = service;
  const oddities = [
    active ? [] : ["not in use"],
    number === null ? ["without a number"] : number === phone ? [] : [`with the number ${number}`],
  ].flat();
  return [String(relayer), uuid, ...oddities].join(", ");
}

/** What the phone knows of its registration. */
export function registrationWords({
  registration: { relayer, claimed },
}: Pick<HandsetDetails, "registration">): string {
  if (relayer === null) return "Not registered";
  return `Registered as ${relayer}, ${claimed ? "claimed" : "not claimed"}`;
}

/** The reason why a phone is off. */
export function deadWords(power: HandsetDetails["power"]): string {
  if (power.restarting) return "It restarts.";
  if (power.charging) return "Its battery was empty; it charges and starts soon.";
  return "Its battery is empty. It starts when there is power again.";
}

const callNames: Readonly<Record<string, string>> = {
  mo_call: "Incoming call, answered",
  mo_miss: "Missed call",
  mt_call: "Outgoing call, answered",
  mt_miss: "Outgoing call, not answered",
  unk: "Rejected, blocked or recorded call",
  lost: "Failed call",
};

export function callWords(type: string): string {
  return callNames[type] ?? type;
}
