import { createHash } from "node:crypto";
import { version } from "../../base/index.js";
import { Recording } from "../../store/index.js";
import {
  type CopyCause,
  formField,
  normaliseUrn,
  type ServicePreset,
  servicePresets,
  statusIn,
  telUrn,
  unknownStatus,
} from "../../wire/index.js";
import { factsOf } from "../event-facts.js";
import type { FieldAnswer, FieldEvent } from "../field-event.js";
import type { FieldSummary } from "../import/summary.js";
import { scenarioTextOf } from "./scenario-text.js";

/** Host of the delivery URLs of events whose source has paths only: a name that resolves nowhere (RFC 2606). */
const HOST = "http://receiver.invalid";

/** Events that may be posted again; a fuller table is emptied. */
const UNACCEPTED_MAX = 50_000;

/** Event types whose `sms` or `id` is a message, whose `call` or `id` is a call. */
const numberKeys: Readonly<Record<string, readonly string[]>> = {
  mo_sms: ["sms", "id"],
  mt_sent: ["sms", "id"],
  mt_dlvd: ["sms", "id"],
  mt_fail: ["sms", "id"],
  mo_miss: ["call", "id"],
  mo_call: ["call", "id"],
  mt_call: ["call", "id"],
  mt_miss: ["call", "id"],
};

/** What a recording of a field log needs beside its events. */
export interface FieldRecordingOptions {
  readonly overwrite: boolean;
  /** Name of the scenario. */
  readonly name: string;
  /** The files, for people to read. */
  readonly source: string;
}

/**
 * Writes the events of a field log to a recording that is not finished yet: channels, contacts, events with their bodies,
 * and an attempt for each answer that the source has.
 *
 * @param events - in the order of time
 * @throws StoreError
 */
export function writeFieldRecording(
  path: string,
  events: Iterable<FieldEvent>,
  summary: FieldSummary,
  options: FieldRecordingOptions,
): Recording {
  const startsAtMs = Math.floor((summary.fromMs ?? 0) / 1000) * 1000;
  const lastsMs = Math.max(1, Math.ceil((summary.toMs ?? startsAtMs) - startsAtMs));
  const preset = presetOf(summary);
  const text = scenarioTextOf({ ...summary, name: options.name, startsAtMs, lastsMs });
  const recording = Recording.create(
    path,
    {
      name: options.name,
      seed: 1,
      version,
      scenario: { file: `${options.name}.yaml`, text },
      startsAtMs,
      lastsMs,
      // Each line of a log is an event, so none is tried again.
      preset: { ...preset, attempts: 1, retriesFlows: false },
      startedWallMs: startsAtMs,
      options: { pace: "1", importedFrom: options.source },
    },
    { overwrite: options.overwrite },
  );
  try {
    const writer = new EventWriter(recording, { startsAtMs, preset, summary });
    for (const event of events) writer.add(event);
    recording.flush();
    return recording;
  } catch (error) {
    recording.close();
    throw error;
  }
}

function presetOf({ spelling }: FieldSummary): ServicePreset {
  const name = spelling === "historic" ? "rapidpro-2016" : "documented";
  const preset = servicePresets.get(name);
  if (preset === undefined) throw new RangeError(`no preset ${name}`);
  return preset;
}

class EventWriter {
  readonly #recording: Recording;
  readonly #startsAtMs: number;
  readonly #preset: ServicePreset;
  /** Channels by the handset's key. */
  readonly #channels = new Map<string, { readonly id: number; count: number; url: string | null }>();
  readonly #summary: FieldSummary;
  readonly #contacts = new Map<string, number>();
  /** Events that no answer has accepted yet, by channel and body: the number of the first one with this body. */
  readonly #unaccepted = new Map<string, number>();
  #row = 0;
  #lastAtMs = 0;

  constructor(
    recording: Recording,
    options: { readonly startsAtMs: number; readonly preset: ServicePreset; readonly summary: FieldSummary },
  ) {
    this.#recording = recording;
    this.#startsAtMs = options.startsAtMs;
    this.#preset = options.preset;
    this.#summary = options.summary;
    options.summary.handsets.forEach(({ key }, index) => {
      this.#channels.set(key, { id: index + 1, count: 0, url: null });
      this.#writeChannel(key, HOST);
    });
  }

  add(event: FieldEvent): void {
    const { body, path = "/", answer, retries = [] } = event;
    const { type, handset = "", phone } = factsOf(body);
    const channel = this.#channels.get(handset);
    if (channel === undefined) throw new RangeError(`no channel for the handset '${handset}'`);
    // A fraction of a millisecond may round to before the event that came first.
    const atMs = Math.max(this.#lastAtMs, Math.round(event.atMs - this.#startsAtMs));
    this.#lastAtMs = atMs;
    const url = HOST + path;
    if (channel.url !== url) {
      if (channel.url === null) this.#writeChannel(handset, url);
      channel.url ??= url;
    }
    const number = ++channel.count;
    const row = ++this.#row;
    this.#recording.event({
      row,
      channel: channel.id,
      number,
      atMs,
      type,
      body,
      subject: subjectOf(type, body),
      copy: this.#copyOf(channel.id, number, event),
    });
    if (phone !== undefined) this.#seen(phone, body, { channel: channel.id, atMs });
    if (answer !== undefined) this.#attempt({ channel: channel.id, number, tried: 1, atMs, url }, answer);
    retries.forEach((retry, index) => {
      const at = Math.max(0, Math.round(retry.atMs - this.#startsAtMs));
      this.#attempt({ channel: channel.id, number, tried: index + 2, atMs: at, url }, retry.answer);
    });
  }

  /** The first event with the same body, if its answer was not accepted: the service posted it again. */
  #copyOf(
    channel: number,
    number: number,
    { body, answer, retries = [] }: FieldEvent,
  ): { readonly of: number; readonly cause: CopyCause } | null {
    const key = `${channel} ${body}`;
    const first = this.#unaccepted.get(key);
    const last = retries.at(-1)?.answer ?? answer;
    const isUnaccepted = last !== undefined && outcomeOf(last.status, last.error, this.#preset) !== "accepted";
    if (!isUnaccepted) this.#unaccepted.delete(key);
    else if (first === undefined) {
      if (this.#unaccepted.size >= UNACCEPTED_MAX) this.#unaccepted.clear();
      this.#unaccepted.set(key, number);
    }
    return first === undefined ? null : { of: first, cause: "posted-again" };
  }

  #attempt(
    {
      channel,
      number,
      tried,
      atMs,
      url,
    }: { channel: number; number: number; tried: number; atMs: number; url: string },
    { status, tookMs = 0, body, error }: FieldAnswer,
  ): void {
    const bytes = body === undefined ? null : Buffer.from(body);
    this.#recording.attempt({
      channel,
      number,
      try: tried,
      url,
      dueAtMs: atMs,
      effectAtMs: Math.round(atMs + tookMs),
      sentWallMs: atMs,
      durationMs: tookMs,
      latencyMs: tookMs,
      status: status ?? null,
      error: status === undefined ? (error === "timeout" ? "ETIMEDOUT" : (error ?? "no answer")) : null,
      outcome: outcomeOf(status, error, this.#preset),
      headers: null,
      body: bytes,
      bodyBytes: bytes?.length ?? 0,
      redirects: [],
      latenessMs: null,
      isRepeat: false,
    });
  }

  #writeChannel(key: string, url: string): void {
    const index = this.#summary.handsets.findIndex((one) => one.key === key);
    const handset = this.#summary.handsets[index];
    if (handset === undefined) return;
    const id = index + 1;
    this.#recording.channel({
      id,
      relayer: /^\d{1,15}$/.test(key) ? Number(key) : id,
      uuid: uuidOf(`channel ${key}`),
      name: handset.name,
      phone: handset.phone ?? "",
      isActive: true,
      createdAtMs: 0,
      claimAfterMs: null,
      url,
      lastSeenMs: 0,
      shownSeenMs: 0,
      hasSynced: false,
      device: unknownStatus,
    });
  }

  /** Adds the person of an event as a contact, once. */
  #seen(phone: string, body: string, { channel, atMs }: { readonly channel: number; readonly atMs: number }): void {
    if (this.#contacts.has(phone)) return;
    const { contacts } = this.#recording.tables;
    const row = this.#contacts.size + 1;
    this.#contacts.set(phone, row);
    const urn = normaliseUrn(telUrn(phone)) ?? telUrn(phone);
    const uuid = formField(body, "contact");
    const isUuid = uuid !== undefined && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid);
    const own =
      isUuid && contacts.byUuid(uuid.toLowerCase()) === undefined ? uuid.toLowerCase() : uuidOf(`person ${phone}`);
    const name = formField(body, "contact_name") ?? null;
    contacts.put({
      row,
      uuid: own,
      name: name === "" ? null : name,
      language: null,
      timezone: null,
      state: "active",
      urns: [urn],
      fields: {},
      createdAtMs: atMs,
      modifiedAtMs: atMs,
      lastSeenAtMs: null,
    });
    contacts.assign(urn, row, channel);
  }
}

/** How an attempt ended, where none follows it. */
function outcomeOf(status: number | undefined, error: string | undefined, preset: ServicePreset): string {
  if (status === undefined) return error === "timeout" ? "timeout" : "connection";
  if (statusIn(preset.accepted, status)) return "accepted";
  return statusIn(preset.retried, status) ? "failed" : "refused";
}

/** The number of the message or call that an event is about; null: it has none. */
function subjectOf(type: string, body: string): number | null {
  for (const key of numberKeys[type] ?? []) {
    const number = Number(formField(body, key) ?? Number.NaN);
    if (Number.isSafeInteger(number) && number > 0) return number;
  }
  return null;
}

function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
