import { LabError } from "../base/index.js";
import { allowedHosts, type HttpResult, postOnce } from "../http/index.js";
import { isListening, refuseUrl } from "../lab/index.js";
import { Streams } from "../sim/index.js";
import {
  type CallEvent,
  encodeEvent,
  encodeForm,
  eventTypes,
  idWithin,
  parseForm,
  presetNames,
  readReply,
  type ReplyReading,
  type ServiceEvent,
  type ServicePreset,
  servicePresets,
  type Spelling,
  statusIn,
} from "../wire/index.js";

/** Options of one event to build and post. Absent fields get sample values. */
export interface PostOptions {
  /** One of `eventTypes`, or a custom one. */
  readonly type: string;
  /** Absolute http or https URL. */
  readonly receiver: string;
  /** The other person's number. */
  readonly phone?: string;
  readonly text?: string;
  /** Channel id; default 1. */
  readonly relayer?: number;
  /** The channel's phone number. */
  readonly relayerPhone?: string;
  /** Id of the message or call. */
  readonly id?: number;
  /** Seconds, for calls. */
  readonly duration?: number;
  /** Milliseconds since 1970; default: now. */
  readonly timeMs?: number;
  /** Name of a service preset; default `documented`. */
  readonly service?: string;
  readonly spelling?: Spelling;
  /** Fields that are added, or replace fields of the same name. */
  readonly fields?: readonly (readonly [key: string, value: string])[];
  readonly timeoutMs?: number;
  /** PEM text of a certificate authority. */
  readonly ca?: string;
  readonly allowHosts?: readonly string[];
}

/** The posted event and its answer. */
export interface PostOutcome {
  /** As sent. */
  readonly body: string;
  readonly exchange: HttpResult;
  /** The meaning of the answer's status under the preset. */
  readonly verdict: "accepted" | "to be retried" | "refused" | "no answer";
  /** Present when the receiver got the event, closed the connection and no longer listens. */
  readonly isGone?: true;
  /** The reply in the answer's body; undefined when the event was not accepted. */
  readonly reply?: ReplyReading;
}

/**
 * Posts one event and returns the answer.
 *
 * @throws LabError `bad-options`, `host-not-allowed`
 */
export async function postEvent(options: PostOptions): Promise<PostOutcome> {
  const presetName = options.service ?? presetNames[0] ?? "";
  const preset = servicePresets.get(presetName);
  if (preset === undefined) {
    throw new LabError("bad-options", `service preset '${presetName}' is unknown`, {
      hint: `the presets are ${presetNames.join(" and ")}`,
    });
  }
  const body = bodyOf(options, preset);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  if (!isAllowed(options.receiver)) refuseUrl(options.receiver);
  const exchange = await postOnce({
    url: options.receiver,
    body,
    timeoutMs: options.timeoutMs ?? preset.timeoutMs,
    redirects: preset.redirects,
    isAllowed,
    ca: options.ca,
  });
  if (exchange.status === null) {
    const isGone = exchange.sentWallMs !== null && !(await isListening(options.receiver));
    return { body, exchange, verdict: "no answer", ...(isGone && { isGone }) };
  }
  if (!statusIn(preset.accepted, exchange.status)) {
    return { body, exchange, verdict: statusIn(preset.retried, exchange.status) ? "to be retried" : "refused" };
  }
  const { replyToSender } = preset;
  const reply = readReply(exchange.body ?? "", { replyToSender, bodyBytes: exchange.bodyBytes });
  return { body, exchange, verdict: "accepted", reply };
}

function bodyOf(options: PostOptions, preset: ServicePreset): string {
  const spelling = options.spelling ?? preset.spelling;
  const encoded = encodeEvent(eventOf(options, preset), { spelling, sampleStatus: preset.sampleStatus });
  if (options.fields === undefined || options.fields.length === 0) return encoded;
  const given = new Set(options.fields.map(([key]) => key));
  return encodeForm([...parseForm(encoded).filter(([key]) => !given.has(key)), ...options.fields]);
}

function eventOf(options: PostOptions, preset: ServicePreset): ServiceEvent {
  const time = options.timeMs ?? Date.now();
  const relayer = options.relayer ?? 1;
  const channel = { relayer, relayerPhone: options.relayerPhone ?? "+12065550110" };
  const phone = options.phone ?? "+12065550142";
  const id = options.id ?? idWithin(relayer, 1);
  const message = { ...channel, sms: id, phone, text: options.text ?? "hello", time };
  const type = eventTypes.find((known) => known === options.type);
  switch (type) {
    case "mo_sms":
      return { ...message, event: type, status: preset.moSmsStatus, direction: "I" };
    case "mt_sent":
      return { ...message, event: type, status: "S", direction: "O" };
    case "mt_dlvd":
      return { ...message, event: type, status: "D", direction: "O" };
    case "mt_fail":
      return { ...message, event: type, status: "F", direction: "O" };
    case "mo_call":
    case "mt_call":
    case "mo_miss":
    case "mt_miss": {
      const talkedS = type === "mo_call" || type === "mt_call" ? 30 : 0;
      const call: CallEvent = { ...channel, event: type, call: id, phone, time, duration: options.duration ?? talkedS };
      return call;
    }
    case "alarm":
      return {
        ...channel,
        event: type,
        powerLevel: 12,
        powerStatus: "DIS",
        powerSource: "BAT",
        networkType: "UMTS",
        pendingMessageCount: 4,
        retryMessageCount: 1,
        lastSeen: time - 31 * 60_000,
      };
    case "flow":
      return {
        ...channel,
        event: type,
        phone,
        flow: 504,
        flowName: "Water survey",
        flowBaseLanguage: "eng",
        step: new Streams(0).uuid("post"),
        values: [
          { label: "Water Source", category: "Borehole", value: "2", text: options.text ?? "2 the borehole", time },
        ],
      };
    case undefined:
      return {
        event: options.type,
        pairs: [
          ["event", options.type],
          ["relayer", String(relayer)],
          ["relayer_phone", channel.relayerPhone],
          ...(options.phone === undefined ? [] : [["phone", options.phone] as const]),
          ...(options.text === undefined ? [] : [["text", options.text] as const]),
        ],
      };
  }
}
