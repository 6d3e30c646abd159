import {
  type CallRow,
  type ChannelRow,
  type ContactRow,
  type Emission,
  type EventRow,
  Gateway,
  type Journal,
  type MessageRow,
  type NoteRow,
} from "../../src/gateway/index.js";
import { Ledger } from "../../src/ledger/index.js";
import { Kernel, Streams } from "../../src/sim/index.js";
import { Recording } from "../../src/store/index.js";
import { type DeviceStatus, parseForm, type Report, servicePresets, type ServicePreset } from "../../src/wire/index.js";
import { meta } from "../store/samples.js";

/** 2026-03-04T06:00:00.000Z */
export const startsAtMs: number = Date.UTC(2026, 2, 4, 6);

export const device: DeviceStatus = {
  powerSource: "BAT",
  powerStatus: "DIS",
  powerLevel: 80,
  networkType: "LTE",
  pending: [],
  retry: [],
};

/** A service with two phones, what it wrote down, and what it emitted. */
export class Service implements Journal {
  readonly kernel: Kernel = new Kernel();
  readonly ledger: Ledger = new Ledger();
  readonly gateway: Gateway;
  /** Keeps the account; the rest of the journal is kept here. */
  readonly recording: Recording;
  readonly messages: MessageRow[] = [];
  readonly statuses: string[] = [];
  readonly calls: CallRow[] = [];
  readonly channels = new Map<number, ChannelRow>();
  readonly notes: NoteRow[] = [];
  readonly emissions: Emission[] = [];
  readonly pushes: number[] = [];

  constructor(preset: Partial<ServicePreset> & { base?: "documented" | "rapidpro-2016" } = {}, deduplicates = false) {
    const { base = "documented", ...changes } = preset;
    const named = servicePresets.get(base);
    if (named === undefined) throw new Error(`no preset ${base}`);
    this.recording = Recording.create(":memory:", { ...meta, startsAtMs });
    this.gateway = new Gateway({
      kernel: this.kernel,
      streams: new Streams(7),
      journal: this,
      tables: this.recording.tables,
      isServed: true,
      tally: this.ledger,
      preset: { ...named, ...changes },
      startsAtMs,
      channels: [1, 2].map((id) => ({
        id,
        uuid: `uuid-${id}`,
        name: `clinic/${id - 1}`,
        phone: `+25078800000${id}`,
        url: "http://127.0.0.1/events",
        device,
        deduplicates,
      })),
      directory: (phone) => (phone === "+250788111111" ? { name: "Ada", language: "eng" } : undefined),
      ports: { emit: (emission) => this.emissions.push(emission), push: (channel) => this.pushes.push(channel) },
    });
    this.gateway.start();
  }

  /** Lets virtual time pass up to an instant, that instant included. */
  passTo(atMs: number): void {
    while (this.kernel.nextAtMs <= atMs) this.kernel.step();
    this.kernel.advanceTo(atMs);
  }

  /** The phone of a channel syncs now. */
  sync(
    channel: number,
    reports: readonly Report[] = [],
    changes: Partial<DeviceStatus> & { skewMs?: number } = {},
  ): ReturnType<Gateway["sync"]> {
    const { skewMs = 0, ...status } = changes;
    const clockAtMs = startsAtMs + this.kernel.now + skewMs;
    return this.gateway.sync(channel, { clockAtMs, status: { ...device, ...status }, reports });
  }

  get contacts(): ContactRow[] {
    return [...this.recording.reader().contacts()];
  }

  /** What was emitted, as the fields of each body. */
  get events(): Record<string, string>[] {
    return this.emissions.map(({ body }) => Object.fromEntries(parseForm(body)));
  }

  channel(row: ChannelRow): void {
    this.channels.set(row.id, row);
  }
  message(row: MessageRow): void {
    this.messages.push(row);
  }
  messageStatus(row: number, status: string): void {
    this.statuses.push(`${row}${status}`);
  }
  call(row: CallRow): void {
    this.calls.push(row);
  }
  event(_row: EventRow): void {
    // `emissions` has them.
  }
  note(row: NoteRow): void {
    this.notes.push(row);
  }
}
