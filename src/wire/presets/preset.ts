/** Field names of an event body: docs/reference/webhook.md#spellings; `both` is the union of table and sample names. */
export const spellings = ["table", "sample", "both", "historic"] as const;
export type Spelling = (typeof spellings)[number];

/** A set of HTTP statuses: those listed, and all in `from..below` (below not included). */
export interface StatusSet {
  readonly listed: readonly number[];
  readonly from: number;
  readonly below: number;
}

/**
 * How the REST API reports an invalid URN of a list: `{"urns": ["…"]}`, or under its place in the list,
 * `{"urns": {"2": ["…"]}}`, as the service has done since version 5 (docs/reference/service-api.md#error-bodies).
 */
export const urnErrorForms = ["flat", "indexed"] as const;
export type UrnErrorForm = (typeof urnErrorForms)[number];

/**
 * How `definitions.json` writes its `version`: `number`, a whole one, or `text`, as since mid-2017
 * (docs/reference/service-api.md#definitions).
 */
export const exportVersionForms = ["number", "text"] as const;
export type ExportVersionForm = (typeof exportVersionForms)[number];

/** Behaviour of the emulated service where the reference is silent or real systems differ. One data file per preset. */
export interface ServicePreset {
  readonly name: string;
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Virtual wait before attempt 2, 3, …; the last one repeats. */
  readonly waitsMs: readonly number[];
  /** Wall time for a whole exchange. */
  readonly timeoutMs: number;
  readonly accepted: StatusSet;
  /**
   * Statuses after which an event is retried, as after transport errors. A status in neither set is a final refusal.
   */
  readonly retried: StatusSet;
  /** Whether redirects are followed: then the status of the final answer counts. */
  readonly redirects: boolean;
  readonly spelling: Spelling;
  /**
   * Whether the `sample` spelling carries `status` and `direction` (docs/reference/webhook.md#message-events: the
   * original lacked them).
   */
  readonly sampleStatus: boolean;
  /** Status letter of mo_sms events. */
  readonly moSmsStatus: string;
  /** A sync whose phone clock is further off than this is refused (docs/reference/handset.md#signature-and-clock). */
  readonly clockWindowMs: number;
  /**
   * Whether an incoming text with the same sender, text and second as an earlier one is acknowledged and dropped
   * (docs/reference/handset.md#duplicates-at-the-service).
   */
  readonly deduplicates: boolean;
  /** Whether a call that one sync reports twice is acknowledged and dropped; real services do so since 2020. */
  readonly deduplicatesCalls: boolean;
  /** Whether a final failure of a message posts `mt_fail` (docs/reference/webhook.md#event-types). */
  readonly mtFail: boolean;
  /** Whether flow events are retried as others are (docs/reference/webhook.md#flow-deliveries). */
  readonly retriesFlows: boolean;
  /** Whether a late `mt_sent` leaves a delivered message at D (docs/reference/handset.md#messages-at-the-service). */
  readonly keepsDelivered: boolean;
  /**
   * Whether a report for a message that the channel does not have is acknowledged. Else the phone repeats it for ever
   * (docs/reference/handset.md#messages-at-the-service).
   */
  readonly acksUnknown: boolean;
  /**
   * Whether a negative id in a report is taken for one that a phone cut to 32 bits
   * (docs/reference/handset.md#messages-at-the-service).
   */
  readonly repairsIds: boolean;
  /**
   * Whether a sync request that fails changes nothing, as before 2024-04. Else what came before the failing command has
   * taken effect (docs/reference/handset.md#sync-errors).
   */
  readonly atomicSync: boolean;
  /** Characters (code points) of an incoming text that are kept; 0: all. */
  readonly textMax: number;
  /** Whether channels that have been silent for a while are pushed (docs/reference/handset.md#push). */
  readonly wakesSilent: boolean;
  /** A channel silent for longer than this raises an alarm. */
  readonly alarmSilentAfterMs: number;
  /** Interval of the check for silent channels. */
  readonly alarmLookEveryMs: number;
  /** A battery below this level, not charging, raises an alarm. Percent. */
  readonly alarmBatteryBelow: number;
  /**
   * Whether the alarm of a low battery ends by charging only, or also at a level that is not low
   * (docs/reference/handset.md#alarm-conditions).
   */
  readonly alarmBatteryEnds: "charging" | "level";
  /** Whether a reply without recipient goes to the number that the event was about. */
  readonly replyToSender: boolean;
  /** The channel that sends a reply: the channel of the answered event, or the one that synced last. */
  readonly replyThrough: "answered" | "last-seen";
  /** Whether a phone can be claimed with the number of another channel (docs/reference/handset.md#registration). */
  readonly numberInUse: "accepted" | "refused";
  readonly urnErrors: UrnErrorForm;
  readonly exportVersion: ExportVersionForm;
}

/** The most attempts that the service makes for an event, by the preset. */
export function attemptsAllowed({
  attempts,
  retriesFlows,
}: Pick<ServicePreset, "attempts" | "retriesFlows">): AttemptsMax {
  return { attempts, flowAttempts: retriesFlows ? attempts : 1 };
}

/** The most attempts for an event, the first one included. */
export interface AttemptsMax {
  /** For all events but flow events. */
  readonly attempts: number;
  readonly flowAttempts: number;
}

/** Whether an HTTP status is in a set. */
export function statusIn(set: StatusSet, status: number): boolean {
  return set.listed.includes(status) || (status >= set.from && status < set.below);
}
