import type { Kernel, Streams } from "../sim/index.js";
import { distinctUrns } from "../wire/index.js";
import type { Channel, Channels, Journal, Messages } from "../gateway/index.js";
import { MESSAGE_UNITS, SLICE, SLICE_EVERY_MS } from "./slices.js";
import { type ContactRow, phoneOf } from "./tables/contact-table.js";
import { IdUuids } from "./id-uuids.js";
import type { Routing } from "./routing.js";
import type { BroadcastOrder, BroadcastRow } from "./tables/broadcast-table.js";
import type { Contacts } from "./contacts.js";
import type { AccountPorts } from "./account-ports.js";
import { sortedIds } from "./sorted-ids.js";
import type { AccountTables } from "./tables/account-tables.js";
import { textFor } from "./text/translated-text.js";
import type { Workload } from "./workload.js";

/** Evaluates the template of a message for one contact. */
export type Render = (template: string, contact: ContactRow) => string;

/** A broadcast under way. */
interface FanOut {
  broadcast: BroadcastRow;
  /** Contacts by row, ascending, each with the requested address. */
  readonly recipients: readonly (readonly [contact: number, urn: string | undefined])[];
  /** Index of the next slice's first recipient. */
  next: number;
  /** Rows of the contacts whose message was queued before the database was closed. */
  readonly served: ReadonlySet<number>;
  /** Ids of the channels with new messages. */
  readonly channels: Set<number>;
}

/**
 * Broadcasts (docs/reference/service-api.md#broadcasts). Kernel timers queue the messages slice by slice in virtual
 * time. After the last slice each phone gets one push.
 */
export class Broadcasts {
  readonly uuids: IdUuids;
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tables: AccountTables;
  readonly #contacts: Contacts;
  readonly #channels: Channels;
  readonly #messages: Messages;
  readonly #routing: Routing;
  readonly #ports: AccountPorts;
  readonly #render: Render;
  readonly #workload: Workload;

  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    journal: Journal;
    tables: AccountTables;
    contacts: Contacts;
    channels: Channels;
    messages: Messages;
    routing: Routing;
    ports: AccountPorts;
    render: Render;
    workload: Workload;
  }) {
    this.uuids = new IdUuids(options.streams, "broadcast");
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tables = options.tables;
    this.#contacts = options.contacts;
    this.#channels = options.channels;
    this.#messages = options.messages;
    this.#routing = options.routing;
    this.#ports = options.ports;
    this.#render = options.render;
    this.#workload = options.workload;
  }

  /** Adds a broadcast. Unknown addresses become contacts at once. A broadcast without recipients is `sent` at once. */
  add(order: BroadcastOrder): BroadcastRow {
    const [urns, contacts, groups] = [distinctUrns(order.urns), sortedIds(order.contacts), sortedIds(order.groups)];
    for (const urn of urns) this.#contacts.withUrn(urn);
    const isForNobody = urns.length === 0 && contacts.length === 0 && groups.length === 0;
    const broadcast: BroadcastRow = {
      ...order,
      urns,
      contacts,
      groups,
      id: this.#tables.broadcasts.nextId(),
      status: isForNobody ? "sent" : "queued",
      total: isForNobody ? 0 : null,
      started: 0,
      createdAtMs: this.#kernel.now,
    };
    this.#tables.broadcasts.put(broadcast);
    if (!isForNobody) this.#kernel.in(0, this.#beginFanOut, broadcast);
    return broadcast;
  }

  /** Continues the broadcasts that were unfinished when the database was closed. No contact gets a message twice. */
  continueUnfinished(): void {
    for (const broadcast of this.#tables.broadcasts.unfinished()) {
      const { contacts, count } = this.#tables.messages.ofBroadcast(broadcast.id);
      this.#kernel.in(0, () => this.#fanOutTo({ ...broadcast, started: count }, contacts), undefined);
    }
  }

  readonly #beginFanOut = (broadcast: BroadcastRow): void => this.#fanOutTo(broadcast, new Set());

  #fanOutTo(broadcast: BroadcastRow, served: ReadonlySet<number>): void {
    const recipients = this.#recipientsOf(broadcast);
    const counted = { ...broadcast, total: recipients.length };
    this.#sendSlice({ broadcast: counted, recipients, next: 0, served, channels: new Set() });
  }

  /** Each contact once, by row. Addresses that no contact has any more are ignored. */
  #recipientsOf({ urns, contacts, groups }: BroadcastRow): [contact: number, urn: string | undefined][] {
    const recipients = new Map<number, string | undefined>();
    for (const contact of contacts) recipients.set(contact, undefined);
    for (const group of groups) {
      for (const contact of this.#tables.groups.membersOf(group)) recipients.set(contact, undefined);
    }
    for (const urn of urns) {
      const owner = this.#tables.contacts.ownerOf(urn);
      if (owner !== undefined) recipients.set(owner.contact, urn);
    }
    return [...recipients].toSorted(([a], [b]) => a - b);
  }

  readonly #sendSlice = (fanOut: FanOut): void => {
    const { recipients } = fanOut;
    for (const [contact, urn] of recipients.slice(fanOut.next, fanOut.next + SLICE)) {
      if (this.#workload.isStepFull) break;
      fanOut.next++;
      if (!fanOut.served.has(contact)) this.#sendTo(contact, urn, fanOut);
    }
    const isDone = fanOut.next === recipients.length;
    const { broadcast } = fanOut;
    const isInVain = broadcast.started === 0 && recipients.length > 0;
    if (isDone) fanOut.broadcast = { ...broadcast, status: isInVain ? "failed" : "sent" };
    this.#tables.broadcasts.setProgress(fanOut.broadcast);
    if (!isDone) this.#kernel.in(SLICE_EVERY_MS, this.#sendSlice, fanOut);
    else for (const channel of [...fanOut.channels].toSorted((a, b) => a - b)) this.#ports.push(channel);
  };

  #sendTo(row: number, urn: string | undefined, fanOut: FanOut): void {
    const contact = this.#tables.contacts.get(row);
    if (contact === undefined || contact.state === "deleted") return;
    const { broadcast } = fanOut;
    if (contact.state !== "active") return this.#noteSkipped(broadcast, contact, `is ${contact.state}`);
    const route = this.#routing.routeTo(contact, { urn, channel: this.#requestedChannel(broadcast) });
    if (route === undefined) return this.#noteSkipped(broadcast, contact, unreached(contact));
    this.#workload.add(MESSAGE_UNITS);
    const text = this.#render(textFor(contact.language, broadcast), contact);
    if (text.trim() === "") return this.#noteSkipped(broadcast, contact, "would get a text without words");
    const { channel, phone } = route;
    this.#messages.queue(channel, this.#contacts.withPhone(phone), { text, origin: "api", broadcast: broadcast.id });
    fanOut.channels.add(channel.spec.id);
    fanOut.broadcast = { ...broadcast, started: broadcast.started + 1 };
  }

  #requestedChannel({ channel }: BroadcastRow): Channel | undefined {
    return channel !== null && this.#channels.has(channel) ? this.#channels.get(channel) : undefined;
  }

  #noteSkipped({ id }: BroadcastRow, { uuid }: ContactRow, why: string): void {
    const text = `broadcast ${id} makes no message for the contact ${uuid}, who ${why}`;
    this.#journal.note({ atMs: this.#kernel.now, channel: 0, kind: "broadcast-skipped", text });
  }
}

/** Why `Routing` has found no number or no channel for a contact, as a predicate. */
function unreached(contact: ContactRow): string {
  return phoneOf(contact) === undefined ? "has no phone number" : "is reached by no channel in use";
}
