import type { HandsetDetails, HandsetOutbox, HandsetSync, WaitingReport } from "../../console/index.js";
import type { ChannelView } from "../../gateway/index.js";
import type { Distribution } from "../../sim/index.js";
import { failShareOn } from "../../world/index.js";
import type { CarriedText, HandsetView, KeptReportView, OutboxView, SyncView } from "../../world/index.js";

/** Most rows of each list in an answer. The counts cover all rows. */
const SHOWN_MAX = 100;

/** Writes a virtual instant as the API does. */
export type Instant = (atMs: number) => string;

/** The control API's answer about a handset, without its card and the service's record of it. */
export type HandsetReading = Omit<
  HandsetDetails,
  "selector" | "channel" | "phone" | "uuid" | "profile" | "carrier" | "delivery_url" | "at"
>;

/** Names of conditions in the API. */
const conditionNames = {
  mains: "mains",
  plug: "plug",
  batteryReports: "battery_reports",
  solar: "solar",
  clouds: "clouds",
  network: "network",
  latency: "latency",
  loses: "loses",
  portal: "portal",
  second: "second_network",
  coverage: "coverage",
  simOut: "sim_out",
  secondSimOut: "second_sim_out",
  smsService: "sms_service",
  smsFails: "sms_fails",
  smsFailsWith: "sms_fails_with",
  airplane: "airplane",
  powerCut: "power_cut",
  mastDown: "mast_down",
  paused: "paused",
  dozing: "dozing",
  smsPermission: "sms_permission",
  callPermission: "call_permission",
} as const satisfies Record<keyof HandsetView["conditions"], keyof HandsetDetails["conditions"]>;

/** Names of what ends, in the API. */
const endNames = { ...conditionNames, skewMs: "clock" } as const satisfies Record<
  keyof HandsetView["endsAtMs"],
  string
>;

/** Converts a handset's view to the API's fields. */
export function handsetState(
  view: HandsetView,
  {
    channel,
    carried,
    at,
  }: { readonly channel: ChannelView; readonly carried: readonly CarriedText[]; readonly at: Instant },
): HandsetReading {
  const { power, conditions, calls } = view;
  const orNull = (atMs: number | null): string | null => (atMs === null ? null : at(atMs));
  // A message that the phone has accepted is in its outbox, even if the service does not know yet.
  const onPhone = new Set(view.outbox.messages.map(({ id }) => id));
  const queued = channel.queued.filter(({ id }) => !onPhone.has(id));
  const held = carried.filter((one) => one.held !== null);
  return {
    clock: new Date(view.clockMs).toISOString(),
    clock_skew_ms: view.skewMs,
    credit: view.credit,
    sims: view.sims.map(({ slot, number, carrier, credit, isIn, sends }) => ({
      slot,
      number,
      carrier,
      credit,
      in: isIn,
      sends,
    })),
    power: {
      level: Math.round(power.level * 10) / 10,
      on: power.isOn,
      charging: power.isCharging,
      solar_per_hour: power.solarPerHour,
      restarting: power.isRestarting,
      boots_at: orNull(power.bootsAtMs),
      empty_at: orNull(power.emptyAtMs),
    },
    data_link: view.link,
    conditions: {
      mains: conditions.mains,
      plug: conditions.plug,
      battery_reports: conditions.batteryReports,
      solar: conditions.solar,
      clouds: percentsText(conditions.clouds),
      network: conditions.network,
      latency: conditions.latency === undefined ? null : spanText(conditions.latency),
      loses: conditions.loses,
      portal: conditions.portal,
      second_network: conditions.second,
      coverage: conditions.coverage,
      sim_out: conditions.simOut,
      second_sim_out: conditions.secondSimOut,
      sms_service: conditions.smsService,
      sms_fails: failShareOn(conditions.smsFails, view.link),
      sms_fails_on: typeof conditions.smsFails === "number" ? {} : { ...conditions.smsFails },
      sms_fails_with: conditions.smsFailsWith,
      airplane: conditions.airplane,
      power_cut: conditions.powerCut,
      mast_down: conditions.mastDown,
      paused: conditions.paused,
      dozing: conditions.dozing,
      sms_permission: conditions.smsPermission,
      call_permission: conditions.callPermission,
    },
    until: Object.fromEntries(
      Object.entries(view.endsAtMs).map(([key, atMs]) => [endNames[key as keyof typeof endNames], at(atMs)]),
    ),
    blocked_by: view.blockedBy,
    unreachable_because: view.unreachableBecause,
    registration: { relayer: view.registration.relayer, claimed: view.registration.org !== null },
    opened: view.isOpened,
    running: view.isRunning,
    outbox: outboxOf(view.outbox, at),
    at_service: {
      count: queued.length,
      messages: queued
        .slice(0, SHOWN_MAX)
        .map(({ id, phone, text, isOffered }) => ({ id, to: phone, text, offered: isOffered })),
    },
    reports: {
      count: view.reports.length,
      waiting: view.reports.slice(0, SHOWN_MAX).map((one) => reportOf(one, view, at)),
    },
    unread: {
      count: view.unread.length,
      texts: view.unread
        .slice(0, SHOWN_MAX)
        .map(({ from, text, atMs, why }) => ({ from, text, at: at(atMs), why: why ?? view.blockedBy })),
    },
    calls: {
      ongoing: calls.ongoing.map(({ phone, call, beganAtMs, endsAtMs, isWaiting }) => ({
        phone,
        type: call,
        began_at: at(beganAtMs),
        ends_at: at(endsAtMs),
        waiting: isWaiting,
      })),
      unread: calls.unread.length,
      observers: calls.observers,
    },
    carried: {
      on_the_way: carried.length - held.length,
      held: held.length,
      held_because: held[0]?.held?.why ?? null,
    },
    sync: syncOf(view.sync, at),
    service: {
      relayer: channel.relayer,
      number: channel.phone === "" ? null : channel.phone,
      active: channel.isActive,
      last_seen_at: at(channel.lastSeenMs),
      has_synced: channel.hasSynced,
      alarms: channel.alarms,
      faults: channel.faults,
      power_level: channel.device.powerLevel,
      power_status: channel.device.powerStatus,
      network_type: channel.device.networkType,
    },
  };
}

function outboxOf({ messages, nextPassAtMs, triesMax }: OutboxView, at: Instant): HandsetOutbox {
  const inState = (...states: readonly string[]): number =>
    messages.filter(({ state }) => states.includes(state)).length;
  return {
    pending: inState("born", "pending"),
    retry: inState("retry"),
    tries_max: triesMax,
    next_pass_at: nextPassAtMs === null ? null : at(nextPassAtMs),
    count: messages.length,
    messages: messages
      .slice(0, SHOWN_MAX)
      .map(({ acceptedAtMs, changedAtMs, waitsFor, untilMs, id, to, text, segments, state, tries }) => ({
        id,
        to,
        text,
        segments,
        state,
        tries,
        accepted_at: at(acceptedAtMs),
        changed_at: at(changedAtMs),
        waits_for: waitsFor,
        until: untilMs === null ? null : at(untilMs),
      })),
  };
}

function reportOf(
  { report, sinceMs, isTried, isApplied, why }: KeptReportView,
  view: HandsetView,
  at: Instant,
): WaitingReport {
  return {
    type: report.type,
    phone: "phone" in report ? report.phone : null,
    text: "text" in report ? report.text : null,
    message: "id" in report ? report.id : null,
    since: at(sinceMs),
    tried: isTried,
    applied: isApplied,
    why: why ?? view.blockedBy,
  };
}

function syncOf(
  { current, last, nextPollAtMs, isWanted, isPushed, putOffBy, losing }: SyncView,
  at: Instant,
): HandsetSync {
  return {
    current: current && {
      requested_at: at(current.requestedAtMs),
      timeout_at: at(current.timeoutAtMs),
      repeat: current.isRepeat,
      reports: current.reports,
      answered: current.isAnswered,
    },
    last: last && {
      requested_at: at(last.requestedAtMs),
      ended_at: at(last.endedAtMs),
      repeat: last.isRepeat,
      reports: last.reports,
      failed_by: last.failedBy,
      applied: last.isApplied,
      acknowledged: last.acknowledged,
      offered: last.offered,
      offered_count: last.offeredCount,
    },
    next_poll_at: nextPollAtMs === null ? null : at(nextPollAtMs),
    wanted: isWanted,
    pushed: isPushed,
    put_off_by: putOffBy,
    losing,
  };
}

/** A distribution of percentages in words: `70%`, `20% to 90%`. */
function percentsText(values: Distribution<number>): string {
  if (values.kind === "fixed") return `${values.value}%`;
  return values.kind === "uniform" ? `${values.min}% to ${values.max}%` : "drawn for each day";
}

/** A distribution of spans in words: `2000 ms`, `100 to 500 ms`. */
function spanText(span: Distribution<number>): string {
  switch (span.kind) {
    case "fixed":
      return `${span.value} ms`;
    case "uniform":
      return `${span.min} to ${span.max} ms`;
    case "exp":
    case "normal":
    case "lognormal":
      return `about ${span.mean} ms`;
    case "pick":
    case "weighted":
    case "fake":
      return "drawn for each";
  }
  span satisfies never;
}
