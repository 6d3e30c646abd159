/**
 * The event types of the reference (docs/reference/webhook.md#event-types): the nine that the service documents, and
 * `mt_fail`, which real services posted too. The list may grow: see `OtherEvent`.
 */
export const eventTypes = [
  "mo_sms",
  "mt_sent",
  "mt_dlvd",
  "mt_fail",
  "mo_miss",
  "mo_call",
  "mt_call",
  "mt_miss",
  "alarm",
  "flow",
] as const;

export type EventType = (typeof eventTypes)[number];

/**
 * The phone's own code for its charging state (docs/reference/handset.md#status-report); spelled CHARGING (CHA, FUL) or
 * DISCHARGING in tables.
 */
export type PowerStatus = "UNK" | "CHA" | "DIS" | "NOT" | "FUL";
/**
 * The phone's own code for its source of power (docs/reference/handset.md#status-report); BAT is spelled BATTERY and
 * WIR WIRELESS in tables.
 */
export type PowerSource = "AC" | "USB" | "WIR" | "BAT";

/** Fields of every event of a channel. */
interface ChannelFields {
  /** Id of the channel. */
  readonly relayer: number;
  /** Phone number of the channel. */
  readonly relayerPhone: string;
}

/** Fields that only the historic spelling carries (docs/reference/webhook.md#message-events). */
interface ContactFields {
  readonly contact?: string;
  readonly contactName?: string;
  readonly urn?: string;
}

/** Fields of the events about a text (docs/reference/webhook.md#message-events). */
interface MessageFields extends ChannelFields, ContactFields {
  readonly sms: number;
  /** E.164, or a short code or name as it appears on the phone. */
  readonly phone: string;
  readonly text: string;
  /** Q, S, D, E or F; historically also P (docs/reference/webhook.md#message-events). */
  readonly status: string;
  readonly direction: "I" | "O";
  /** Milliseconds since 1970, by the phone's clock; a fraction carries microseconds. */
  readonly time: number;
}

/** The phone received a text. */
export interface MoSmsEvent extends MessageFields {
  readonly event: "mo_sms";
}

/** The phone sent a text. */
export interface MtSentEvent extends MessageFields {
  readonly event: "mt_sent";
}

/** The network reported that a text reached its recipient. */
export interface MtDlvdEvent extends MessageFields {
  readonly event: "mt_dlvd";
}

/** A phone's last try to send a text failed (docs/reference/webhook.md#event-types). Only with preset `mtFail`. */
export interface MtFailEvent extends MessageFields {
  readonly event: "mt_fail";
}

export type MessageEvent = MoSmsEvent | MtSentEvent | MtDlvdEvent | MtFailEvent;

/** Fields of the events about a call in the phone's log (docs/reference/webhook.md#call-events). */
interface CallFields extends ChannelFields, ContactFields {
  readonly call: number;
  readonly phone: string;
  /** Milliseconds since 1970, by the phone's clock. */
  readonly time: number;
  /** Seconds talked; 0 for missed calls. */
  readonly duration: number;
}

/** An incoming call was not picked up. */
export interface MoMissEvent extends CallFields {
  readonly event: "mo_miss";
}

/** The phone's owner picked up an incoming call. */
export interface MoCallEvent extends CallFields {
  readonly event: "mo_call";
}

/** The phone's owner made a call. */
export interface MtCallEvent extends CallFields {
  readonly event: "mt_call";
}

/** The phone's owner made a call that the recipient did not pick up. */
export interface MtMissEvent extends CallFields {
  readonly event: "mt_miss";
}

export type CallEvent = MoMissEvent | MoCallEvent | MtCallEvent | MtMissEvent;

/**
 * Values that a phone measures: each of its syncs reports them (`DeviceStatus`), and an alarm has those of the last sync
 * (docs/reference/handset.md#status-report).
 */
export interface PhoneValues {
  readonly powerSource: PowerSource;
  readonly powerStatus: PowerStatus;
  /** Whole percent; -1 when the phone does not know. */
  readonly powerLevel: number;
  /** WIFI, NONE, or the mobile sub-type: GPRS, EDGE, UMTS, HSPA, LTE… */
  readonly networkType: string;
}

/** A channel that is silent or low on power (docs/reference/webhook.md#alarm-events). */
export interface AlarmEvent extends ChannelFields, PhoneValues {
  readonly event: "alarm";
  /** Historic only, from 2017 (docs/reference/webhook.md#alarm-events). */
  readonly channelUuid?: string;
  readonly pendingMessageCount: number;
  readonly retryMessageCount: number;
  /** Milliseconds since 1970, by the service's clock. */
  readonly lastSeen: number;
}

/** One answer that a flow has collected (docs/reference/webhook.md#flow-values). */
export interface FlowValue {
  readonly label: string;
  readonly category: string;
  readonly value: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  // The following fields exist in historic posts only (docs/reference/webhook.md#flow-values).
  /** UUID of the node that asked. */
  readonly node?: string;
  /** The value as the rule saw it, before it was parsed. */
  readonly ruleValue?: string;
}

/** A person reached an API action in a flow (docs/reference/webhook.md#flow-fields). */
export interface FlowEvent extends ChannelFields, ContactFields {
  readonly event: "flow";
  readonly phone: string;
  readonly flow: number;
  readonly flowName: string;
  readonly flowBaseLanguage: string;
  /** UUID of the step. */
  readonly step: string;
  readonly values: readonly FlowValue[];
  // The following fields exist in historic posts only (docs/reference/webhook.md#flow-fields).
  readonly channelUuid?: string;
  readonly flowUuid?: string;
  readonly run?: number;
  /** The last message. */
  readonly text?: string;
  /** The path so far: JSON text as it was sent. */
  readonly steps?: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
}

export type CallEventType = CallEvent["event"];

export type KnownEvent = MessageEvent | CallEvent | AlarmEvent | FlowEvent;

/** The event of one type. */
export type EventOf<T extends EventType> = Extract<KnownEvent, { readonly event: T }>;

/** An event of a type that the reference does not list: its unchanged pairs, including `event`. */
export interface OtherEvent {
  readonly event: string;
  readonly pairs: readonly (readonly [key: string, value: string])[];
}

export type ServiceEvent = KnownEvent | OtherEvent;

/** Whether an event has fields instead of bare pairs. (An `OtherEvent` may name a known type.) */
export function isKnownEvent(event: ServiceEvent): event is KnownEvent {
  return !("pairs" in event);
}

/** Whether the reference lists an event type. */
export function isEventType(type: string): type is EventType {
  return (eventTypes as readonly string[]).includes(type);
}

/**
 * Whether an account forwards events of a type to the receiver.
 *
 * @param forwards - the forwarded types; undefined: all
 */
export function isForwarded(type: string, forwards: readonly string[] | undefined): boolean {
  return forwards?.includes(type) ?? true;
}
