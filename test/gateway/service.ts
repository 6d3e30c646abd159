import { Account, type ContactRow, type FlowCallOrder, type ResthookDelivery } from "../../src/account/index.js";
import {
  type CallRow,
  type ChannelRow,
  Channels,
  type Emission,
  type EventRow,
  Gateway,
  type Journal,
  type MessageRow,
  Messages,
  type MessageStatus,
  type NoteRow,
  type RegistrationRow,
} from "../../src/gateway/index.js";
import { Ledger } from "../../src/ledger/index.js";
import { Kernel, Streams } from "../../src/sim/index.js";
import { type AccountLists, Recording } from "../../src/store/index.js";
import {
  type DeviceStatus,
  parseForm,
  type Report,
  servicePresets,
  type ServicePreset,
  unknownStatus,
} from "../../src/wire/index.js";
import { meta } from "../store/samples.js";

/** 2026-03-04T06:00:00.000Z */
export const startsAtMs: number = Date.UTC(2026, 2, 4, 6);

export const device: DeviceStatus = { ...unknownStatus, powerStatus: "DIS", powerLevel: 80, networkType: "LTE" };

export interface Setup {
  /** Numbers of the phones, by channel; default: two of Rwanda. */
  readonly phones?: readonly string[];
  /** Continues this recording; default: starts empty. */
  readonly recording?: Recording;
}

/** A gateway and an account with a few phones, and what they recorded and emitted. */
export class Service implements Journal {
  readonly kernel: Kernel;
  readonly ledger: Ledger = new Ledger();
  readonly account: Account;
  readonly gateway: Gateway;
  /** Everything, rows from before this service included; the properties below hold only what this service wrote. */
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly messages: MessageRow[] = [];
  readonly statuses: string[] = [];
  readonly calls: CallRow[] = [];
  readonly channels = new Map<number, ChannelRow>();
  readonly notes: NoteRow[] = [];
  readonly emissions: Emission[] = [];
  readonly pushes: number[] = [];
  /** Attempts to post events of resthooks. */
  readonly resthookDeliveries: ResthookDelivery[] = [];
  /** HTTP calls of flows that a test answers by `account.flowCalls.applyAnswer`. */
  readonly flowCalls: FlowCallOrder[] = [];

  constructor(preset: Partial<ServicePreset> & { base?: "documented" | "rapidpro-2016" } = {}, setup: Setup = {}) {
    const { base = "documented", ...changes } = preset;
    const named = servicePresets.get(base);
    if (named === undefined) throw new Error(`no preset ${base}`);
    this.recording = setup.recording ?? Recording.create(":memory:", { ...meta, startsAtMs });
    const { lists } = this.recording.prepareToServe();
    this.lists = lists;
    const continueFrom = setup.recording?.readGatewayState();
    this.kernel = new Kernel(continueFrom?.atMs);
    const streams = new Streams(7);
    const { phones = ["+250788000001", "+250788000002"] } = setup;
    const specs = phones.map((phone, index) => ({
      id: index + 1,
      uuid: streams.uuid(`channel/clinic/${index}`),
      name: `clinic/${index}`,
      phone,
      url: "http://127.0.0.1/events",
      device,
    }));
    const channels = new Channels(specs, this, continueFrom?.channels);
    const push = (channel: number): void => void this.pushes.push(channel);
    const shared = {
      kernel: this.kernel,
      streams,
      journal: this,
      tally: this.ledger,
      preset: { ...named, ...changes },
      startsAtMs,
      channels,
      ports: { emit: (emission: Emission) => void this.emissions.push(emission), push },
      ...(continueFrom && { continueFrom }),
    };
    const messages = new Messages({ ...shared, recorded: this.recording.tables.messages });
    this.account = new Account({
      ...shared,
      tables: this.recording.tables,
      messages,
      isServed: true,
      directory: (phone) => (phone === "+250788111111" ? { name: "Ada", language: "eng" } : undefined),
      ports: {
        push,
        resthook: (delivery) => this.resthookDeliveries.push(delivery),
        call: (order) => this.flowCalls.push(order),
        flowEvent: (channel, step) => this.gateway.emitFlowEvent(channel, step),
      },
    });
    const { contacts, flowHandler: flows } = this.account;
    this.gateway = new Gateway({ ...shared, messages, contacts, flows });
    this.gateway.start();
    this.account.continueRecorded();
  }

  /** Queues a text and returns its id. @throws Error when the text is refused */
  send(channel: number, phone: string, text: string): number {
    const id = this.gateway.send(channel, { phone, text, origin: "story" });
    if (id === undefined) throw new Error(`a text to ${phone} was refused`);
    return id;
  }

  /** Advances virtual time to an instant and runs every timer due by then. */
  passTo(atMs: number): void {
    while (this.kernel.nextAtMs <= atMs) this.kernel.step();
    this.kernel.advanceTo(atMs);
  }

  /** Makes the phone of a channel sync now. */
  sync(
    channel: number,
    reports: readonly Report[] = [],
    changes: Partial<DeviceStatus> & { skewMs?: number } = {},
  ): ReturnType<Gateway["sync"]> {
    const { skewMs = 0, ...status } = changes;
    this.account.workload.beginInput();
    const clockAtMs = startsAtMs + this.kernel.now + skewMs;
    return this.gateway.sync(channel, { clockAtMs, status: { ...device, ...status }, reports });
  }

  get contacts(): ContactRow[] {
    return [...this.recording.reader().contacts()];
  }

  /** The emitted events, as the fields of each body. */
  get events(): Record<string, string>[] {
    return this.emissions.map(({ body }) => Object.fromEntries(parseForm(body)));
  }

  channel(row: ChannelRow): void {
    this.channels.set(row.id, row);
    this.recording.channel(row);
  }
  registration(row: RegistrationRow): void {
    this.recording.registration(row);
  }
  message(row: MessageRow): void {
    this.messages.push(row);
    this.recording.message(row);
  }
  messageStatus(row: number, status: MessageStatus, atMs: number, sentAtMs: number | null): void {
    this.statuses.push(`${row}${status}`);
    this.recording.messageStatus(row, status, atMs, sentAtMs);
  }
  call(row: CallRow): void {
    this.calls.push(row);
    this.recording.call(row);
  }
  event(row: EventRow): void {
    this.recording.event(row);
  }
  note(row: NoteRow): void {
    this.notes.push(row);
    this.recording.note(row);
  }
}
