import type { FlowRow, RunRow } from "../../account/index.js";
import type { EventRow, MessageRow, NoteRow } from "../../gateway/index.js";
import type { LossCause, LostItem, ServicePreset, TroubleKind } from "../../wire/index.js";

/** Facts of a run that are known when it begins. */
export interface RunMeta {
  /** The scenario's name. */
  readonly name: string;
  readonly seed: number;
  /** Version of the program. */
  readonly version: string;
  /** The scenario as it was read: file name and whole text. */
  readonly scenario: { readonly file: string; readonly text: string };
  /** Instant 0 of virtual time, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Length of the run, virtual milliseconds. */
  readonly lastsMs: number;
  /** The service's settings, the scenario's overrides applied. */
  readonly preset: ServicePreset;
  /** When the run began by the wall clock, milliseconds since 1970. */
  readonly startedWallMs: number;
  /** Options of the command that are not in the scenario: `pace`, `receiver`, `set`… For people to read. */
  readonly options: Readonly<Record<string, string>>;
}

/** Facts of a run that are known when it has ended. */
export interface RunEndFacts {
  /** See `Digest`. */
  readonly digest: string;
  /** The result of the run, as `handset run --json` prints it. */
  readonly resultJson: string;
  /** By the wall clock, milliseconds since 1970. */
  readonly endedWallMs: number;
}

/** One attempt to deliver an event, complete. Together `channel`, `number` and `try` are unique. */
export interface AttemptRow {
  readonly channel: number;
  /** The event's number within the channel. */
  readonly number: number;
  /** 1 for the first. */
  readonly try: number;
  /** Where it was sent. */
  readonly url: string;
  /** Virtual milliseconds. */
  readonly dueAtMs: number;
  /** Virtual milliseconds: when its outcome takes effect in the service. */
  readonly effectAtMs: number;
  /** Wall milliseconds since the sender was made; null when the request was never written to a connection. */
  readonly sentWallMs: number | null;
  /** Wall milliseconds from the written request to the complete answer, or to the failure. */
  readonly durationMs: number;
  /** Wall milliseconds from the due time to the answer. */
  readonly latencyMs: number;
  /** HTTP status; null where there was no usable answer. */
  readonly status: number | null;
  /** Stable error code where there was no usable answer. */
  readonly error: string | null;
  /** accepted, retried, refused, failed, timeout or connection. */
  readonly outcome: string;
  /** `name: value` lines of the answer, possibly truncated. */
  readonly headers: string | null;
  /** The beginning of the answer's body. */
  readonly body: Uint8Array | null;
  /** Length of the whole body. */
  readonly bodyBytes: number;
  /** URLs of the redirects that were followed, in order. */
  readonly redirects: readonly string[];
  /**
   * Paced: wall milliseconds from the due time until the HTTP client accepted the request, a delay that this program
   * causes; null in lockstep.
   */
  readonly latenessMs: number | null;
  /**
   * True when the run was killed while this attempt was in flight and then resumed, so the receiver may have it twice.
   */
  readonly isRepeat: boolean;
  /** Logical position at which the attempt took effect: kernel steps and inputs before it; null when unknown. */
  readonly step: number | null;
}

/** Trouble that an attempt met between the service and the receiver. */
export interface TroubleRow {
  /** When it was drawn: the attempt was due, but for what held it back. */
  readonly atMs: number;
  readonly channel: number;
  /** The event's number within the channel. */
  readonly number: number;
  readonly try: number;
  readonly kind: TroubleKind;
  /** Its size: `40000 ms`, `body`; empty where it has none. */
  readonly value: string;
}

/** Trouble of an attempt as it is read back. */
export interface RecordedTrouble extends TroubleRow {
  readonly row: number;
}

/** Effect of the body of an accepted answer. An empty answer (no body, `{}`) has no row. */
export interface ReplyRow {
  readonly atMs: number;
  readonly channel: number;
  /** The number of the event that was answered. */
  readonly number: number;
  /** `valid`: messages were made, which name this event as `replyTo`; `ignored`: nothing was sent. */
  readonly kind: "valid" | "ignored";
  /** A stable word for why it was ignored; null for a valid one. */
  readonly reason: string | null;
  /** The reason as a sentence; null for a valid one. */
  readonly detail: string | null;
}

/** A person's phone has shown a message. */
export interface HearingRow {
  /** The message's id. */
  readonly message: number;
  readonly atMs: number;
}

/** A text or call was lost. */
export interface LossRow extends LostItem {
  readonly atMs: number;
  readonly cause: LossCause;
}

/** A round trip: from an incoming text to the receiver's first reaction to it. */
export interface RoundTripRow {
  readonly channel: number;
  /** The number of the text's event. */
  readonly number: number;
  /**
   * `reply`: the receiver's answer to the event sends a message to the person; `api`: a request to the REST API sends
   * it.
   */
  readonly via: "reply" | "api";
  /** When the message was made: virtual milliseconds. */
  readonly atMs: number;
  /** Wall milliseconds from the text's due time; null in lockstep. */
  readonly wallMs: number | null;
}

/** A round trip as it is read back. */
export interface RecordedRoundTrip extends RoundTripRow {
  readonly row: number;
}

/** A wall second in which other programs competed for the cores of this machine. */
export interface HostSecondRow {
  /** Its start in wall milliseconds since the sender was made. */
  readonly atMs: number;
  /** The share of it that was busy, 0 to 1. */
  readonly share: number;
  /** Mean number of other programs' tasks that wanted each core; null when not counted. */
  readonly othersPerCore: number | null;
}

/** An input from outside the scenario: an action in the console, or an API request. */
export interface InputRow {
  readonly atMs: number;
  /** A stable word for the part that reads it: `world`, `gateway`, `api`… */
  readonly kind: string;
  /** Any JSON text. */
  readonly json: string;
  /** Logical position at which the input took effect: kernel steps and inputs before it; null when unknown. */
  readonly step?: number | null;
}

/** An attempt as it is read back: `row` is its place in the order in which answers came. */
export interface RecordedAttempt extends AttemptRow {
  readonly row: number;
}

/** A reply as it is read back. */
export interface RecordedReply extends ReplyRow {
  readonly row: number;
}

/** An input as it is read back. */
export interface RecordedInput extends InputRow {
  readonly row: number;
}

/** An answered HTTP call of a flow, as it is read back. */
export interface RecordedFlowCall {
  readonly row: number;
  readonly id: number;
  /** Row of the contact. */
  readonly contact: number;
  /** UUIDs of the run and of the node. */
  readonly run: string;
  readonly node: string;
  readonly atMs: number;
  readonly effectAtMs: number;
  readonly method: string;
  readonly url: string;
  /** Body of the request. */
  readonly body: string;
  readonly sentWallMs: number | null;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answerHeaders: string | null;
  readonly answerBody: Uint8Array | null;
  /** URLs of the redirects that were followed, in order. */
  readonly redirects: readonly string[];
  readonly step: number | null;
}

/** An attempt to post an event of a resthook, as it is read back. */
export interface RecordedResthookAttempt {
  readonly row: number;
  /** Ids of the event and of the subscriber. */
  readonly event: number;
  readonly subscriber: number;
  readonly try: number;
  /** When its answer took effect. */
  readonly atMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly body: Uint8Array | null;
  readonly step: number | null;
}

/** A line of the run's log as it is read back. */
export interface RecordedNote extends NoteRow {
  readonly row: number;
}

/** The outcome of an attempt, and the body of its answer. */
export type AttemptGlimpse = Pick<
  AttemptRow,
  | "try"
  | "url"
  | "dueAtMs"
  | "effectAtMs"
  | "sentWallMs"
  | "status"
  | "error"
  | "outcome"
  | "durationMs"
  | "latencyMs"
  | "body"
>;

/** Measurements of an attempt. */
export type AttemptMeasure = Pick<
  RecordedAttempt,
  | "row"
  | "channel"
  | "number"
  | "try"
  | "dueAtMs"
  | "sentWallMs"
  | "durationMs"
  | "latencyMs"
  | "latenessMs"
  | "status"
  | "error"
  | "outcome"
  | "bodyBytes"
> & { readonly isRepeat: 0 | 1 };

/** An event with its attempts, first try first. */
export interface RecordedEvent extends EventRow {
  readonly attempts: readonly AttemptGlimpse[];
}

/** A message with its latest status. */
export interface RecordedMessage extends MessageRow {
  /** When the status last changed. */
  readonly modifiedAtMs: number;
}

/** Number of events by the state of their delivery. */
export interface EventFates {
  readonly delivered: number;
  /** Events that the service has given up. */
  readonly failed: number;
  /** Events not yet tried, or to be tried again. */
  readonly waiting: number;
  /** Events of channels without a delivery URL. */
  readonly noReceiver: number;
  /** Events of types that the account does not forward. */
  readonly notForwarded: number;
}

/** How many rows each table has. */
export interface RecordingCounts {
  readonly channels: number;
  readonly contacts: number;
  readonly messages: number;
  readonly calls: number;
  readonly events: number;
  readonly attempts: number;
  /** Answered HTTP calls of flows. */
  readonly flowCalls: number;
  readonly replies: number;
  readonly inputs: number;
  readonly notes: number;
}

/** A flow of the account. */
export interface RecordedFlow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly type: FlowRow["type"];
  /** As it was imported: any generation. */
  readonly definition: unknown;
}

/** A contact's passage through a flow. */
export type RecordedFlowRun = Pick<
  RunRow,
  "id" | "flow" | "contact" | "path" | "results" | "answers" | "createdAtMs" | "exitedAtMs" | "exit"
>;
