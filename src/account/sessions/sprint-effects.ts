import type { Channels, Messages } from "../../gateway/index.js";
import {
  channelOf,
  type SessionContact,
  type SprintEvent,
  type NamedReference,
  type Run,
  type Sprint,
  withoutQuery,
} from "../../flow/index.js";
import { normaliseUrn, ownValue, phoneOfUrn } from "../../wire/index.js";
import type { Broadcasts } from "../broadcasts.js";
import type { ContactChanges, Contacts } from "../contacts.js";
import type { FlowStarts } from "../flow-starts.js";
import type { FlowRow } from "../flows.js";
import type { AccountPorts } from "../account-ports.js";
import type { Resthooks } from "../resthooks.js";
import type { Routing } from "../routing.js";
import type { Backlog, QueryOrder, Task, TaskOf } from "../backlog.js";
import type { ContactSearch, SmartGroups } from "../groups/smart-groups.js";
import type { AccountTables } from "../tables/account-tables.js";
import { type ContactRow, phoneOf } from "../tables/contact-table.js";
import type { GroupRow } from "../tables/group-table.js";
import type { FlowDefinitions } from "./flow-definitions.js";
import type { FlowNotes } from "./flow-notes.js";
import { flowStepOf } from "./flow-step.js";
import type { OpenSession } from "./open-session.js";
import type { Kernel } from "../../sim/index.js";

/** The parts of the account on which sprints act. */
interface SprintEffectsOptions {
  readonly kernel: Kernel;
  readonly ports: AccountPorts;
  readonly tables: AccountTables;
  readonly channels: Channels;
  readonly contacts: Contacts;
  readonly messages: Messages;
  readonly broadcasts: Broadcasts;
  readonly flowStarts: FlowStarts;
  readonly resthooks: Resthooks;
  readonly routing: Routing;
  readonly smartGroups: SmartGroups;
  readonly backlog: Backlog;
  readonly definitions: FlowDefinitions;
  readonly notes: FlowNotes;
}

/** Most orders whose recipients are still being searched. */
const WAITING_ORDERS_MAX = 100;

/** The session whose sprint is applied, with its contact before the sprint. */
interface SprintPlace {
  readonly live: OpenSession;
  readonly contact: ContactRow;
}

/** Where an event of a sprint happened. */
interface EventPlace extends SprintPlace {
  readonly run: Run | undefined;
}

type EffectOf<Type extends SprintEvent["type"]> = Extract<SprintEvent, { type: Type }>;

/**
 * Applies the events of a sprint to the account: contact, messages, labels, resthooks, broadcasts, starts of other
 * contacts.
 */
export class SprintEffects {
  readonly #options: SprintEffectsOptions;
  /** Running searches for the recipients of orders. They are not stored: after a restart each begins again. */
  readonly #searches = new Map<Task, ContactSearch>();

  constructor(options: SprintEffectsOptions) {
    this.#options = options;
  }

  apply({ events, contact: after, session }: Sprint, place: SprintPlace): void {
    const { ports } = this.#options;
    if (events.some(({ type }) => type.startsWith("contact_"))) this.#changeContact(after, events, place.contact);
    const pushes = new Set<number>();
    const runs = new Map(session.runs.map((run) => [run.uuid, run]));
    for (const event of events) {
      const here = { ...place, run: event.run === undefined ? undefined : runs.get(event.run) };
      switch (event.type) {
        case "msg_created":
          this.#send(event, here, pushes);
          break;
        case "input_labels_added":
          this.#addLabels(event, place.live);
          break;
        case "broadcast_created":
        case "session_triggered":
          this.#order(event, here);
          break;
        case "resthook_called":
          this.#options.resthooks.recordEvent(event.resthook, event.payload as Readonly<Record<string, unknown>>);
          break;
        case "webhook_called":
          if (event.status === "subscriber_gone" && event.resthook !== undefined)
            this.#options.resthooks.unsubscribeUrl(event.resthook, event.url);
          break;
        case "email_sent":
          this.#note("flow-email", here, `an e-mail '${event.subject}' was not sent: there is no mail server`);
          break;
        case "error":
        case "failure":
          this.#note(`flow-${event.type}`, here, event.text);
          break;
        case "ivr_created":
          this.#note("flow-error", here, "a spoken message was not played: handsets do not run voice flows");
          break;
        // The contact was changed above.
        case "contact_name_changed":
        case "contact_language_changed":
        case "contact_timezone_changed":
        case "contact_status_changed":
        case "contact_field_changed":
        case "contact_groups_changed":
        case "contact_urns_changed":
          break;
        // Already stored in the rows of sessions, runs and results.
        case "msg_received":
        case "msg_wait":
        case "dial_wait":
        case "dial_ended":
        case "flow_entered":
        case "run_expired":
        case "wait_timed_out":
        case "run_result_changed":
        case "ticket_opened":
          break;
        default:
          event satisfies never;
      }
    }
    for (const channel of pushes) ports.push(channel);
  }

  /** Posts the `flow` event of a contact who has reached an API action (docs/reference/flows.md#flow-events). */
  emitFlowEvent(
    { contact: row, channel: lastChannel }: OpenSession,
    { run, node, flow }: { readonly run: Run; readonly node: string; readonly flow: FlowRow },
  ): void {
    const { tables, routing, ports, definitions } = this.#options;
    const contact = tables.contacts.get(row);
    const phone = contact && phoneOf(contact);
    if (contact === undefined || phone === undefined) return;
    const channel = lastChannel ?? routing.routeTo(contact)?.channel.spec.id;
    if (channel === undefined) return;
    const language = definitions.of(flow)?.baseLanguage ?? "und";
    ports.flowEvent?.(channel, flowStepOf(run, { phone, flow, language, node }));
  }

  #changeContact(after: SessionContact, events: readonly SprintEvent[], contact: ContactRow): void {
    const { contacts } = this.#options;
    const fields = new Map<string, string | undefined>();
    for (const event of events) {
      if (event.type !== "contact_field_changed") continue;
      fields.set(event.field.key, ownValue(after.fields, event.field.key)?.text);
    }
    const changes: ContactChanges = {
      name: after.name === "" ? null : after.name,
      language: after.language === "" ? null : after.language,
      timezone: after.timezone === "" ? null : after.timezone,
      urns: after.urns.map(withoutQuery),
      ...(fields.size > 0 && { fields }),
      ...(after.status === "active" && { groups: this.#manualGroups(after.groups) }),
    };
    let row = contacts.change(contact, changes);
    if (after.status !== "archived" && after.status !== row.state)
      row = contacts.setState(row, after.status, { keepsSession: true });
    if (events.some(({ type }) => type === "contact_urns_changed")) this.#assignChannels(after, row);
  }

  #manualGroups(groups: readonly NamedReference[]): GroupRow[] {
    const { groups: table } = this.#options.tables;
    return groups.flatMap(({ uuid }) => {
      const row = table.byUuid(uuid);
      return row === undefined || row.query !== null ? [] : row;
    });
  }

  /** Stores the channels that the addresses now prefer. */
  #assignChannels({ urns }: SessionContact, { row }: ContactRow): void {
    const { tables, channels } = this.#options;
    for (const urn of urns) {
      const uuid = channelOf(urn);
      const channel = uuid === undefined ? undefined : channels.byUuid(uuid.toLowerCase());
      if (channel !== undefined) tables.contacts.assign(withoutQuery(urn), row, channel.spec.id);
    }
  }

  #send({ msg }: EffectOf<"msg_created">, here: EventPlace, pushes: Set<number>): void {
    const { run, contact } = here;
    const { channels, contacts, messages, tables } = this.#options;
    const channel = msg.channel && channels.byUuid(msg.channel.uuid);
    const phone = msg.urn === undefined ? undefined : phoneOfUrn(withoutQuery(msg.urn));
    if (phone === undefined || channel === undefined) {
      const why = contact.state === "active" ? "no handset reaches the contact" : `the contact is ${contact.state}`;
      return this.#note("flow-message-unsent", here, `a message was not sent: ${why}`);
    }
    const text = [msg.text, ...(msg.attachments ?? []).map(urlOf)].filter((part) => part !== "").join("\n");
    if (text.trim() === "") return this.#note("flow-message-unsent", here, "a message without text was not sent");
    const flow = run && tables.flows.byUuid(run.flow.uuid);
    messages.queue(channel, contacts.withPhone(phone), { text, origin: "flow", flow: flow?.id ?? null });
    pushes.add(channel.spec.id);
  }

  #addLabels({ labels }: EffectOf<"input_labels_added">, { messageRow }: OpenSession): void {
    const { tables, kernel } = this.#options;
    if (messageRow === null) return;
    for (const { uuid } of labels) {
      const label = tables.labels.byUuid(uuid);
      if (label === undefined || tables.messages.hasLabel(messageRow, label.id)) continue;
      tables.messages.addLabel(messageRow, label.id, kernel.now);
    }
  }

  /** Carries out an order of a flow. An order with a query waits until its matching contacts are found. */
  #order(event: QueryOrder, here: EventPlace): void {
    const { backlog } = this.#options;
    if ((event.contact_query ?? "") === "") return this.#carryOut(event, []);
    if (backlog.count("order") >= WAITING_ORDERS_MAX) {
      return this.#note("flow-error", here, `contacts were not searched: ${WAITING_ORDERS_MAX} other searches wait`);
    }
    const rest = this.continueOrder({ kind: "order", event });
    if (rest !== undefined) backlog.add(rest);
  }

  /** Begins or continues the search of an order. @returns the same task while the search is not over */
  continueOrder(task: TaskOf<"order">): Task | undefined {
    const { smartGroups } = this.#options;
    const search = this.#searches.get(task) ?? smartGroups.beginSearch();
    smartGroups.searchOn(search, task.event.contact_query ?? "");
    if (search.after !== undefined) {
      this.#searches.set(task, search);
      return task;
    }
    this.#searches.delete(task);
    this.#carryOut(task.event, search.found);
    return undefined;
  }

  /** @param found - rows of contacts that match the order's query */
  #carryOut(event: QueryOrder, found: readonly number[]): void {
    if (event.type === "broadcast_created") this.#broadcast(event, found);
    else this.#startOthers(event, found);
  }

  #broadcast(event: EffectOf<"broadcast_created">, found: readonly number[]): void {
    const texts = Object.entries(event.translations).map(([language, content]): [string, string] => [
      language,
      // The runner has already evaluated the text, so an expression in it is literal text.
      [content.text, ...(content.attachments ?? []).map(urlOf)]
        .filter((part) => part !== "")
        .join("\n")
        .replaceAll("@", "@@"),
    ]);
    const { contacts, groups } = this.#recipientsOf(event, found);
    if (contacts.length + groups.length === 0) return;
    this.#options.broadcasts.add({
      text: Object.fromEntries(texts),
      baseLanguage: event.base_language,
      urns: [],
      contacts,
      groups,
      channel: null,
    });
  }

  #startOthers(event: EffectOf<"session_triggered">, found: readonly number[]): void {
    const flow = this.#options.tables.flows.byUuid(event.flow.uuid);
    if (flow === undefined) return;
    const { contacts, groups } = this.#recipientsOf(event, found);
    if (event.create_contact === true) contacts.push(this.#options.contacts.add({}).row);
    if (contacts.length + groups.length === 0) return;
    this.#options.flowStarts.add({
      flow: flow.id,
      groups,
      contacts,
      restartsParticipants: true,
      excludesActive: event.exclusions?.in_a_flow ?? false,
      extra: null,
      embeddedData: null,
      parent: { runSummary: event.run_summary, history: event.history },
    });
  }

  #recipientsOf(
    event: QueryOrder,
    found: readonly number[],
  ): {
    readonly contacts: number[];
    readonly groups: number[];
  } {
    const { tables, contacts } = this.#options;
    const rows = (event.contacts ?? []).flatMap(({ uuid }) => tables.contacts.byUuid(uuid)?.row ?? []);
    for (const urn of event.urns ?? []) {
      const normalised = normaliseUrn(withoutQuery(urn));
      if (normalised !== undefined) rows.push(contacts.withUrn(normalised).row);
    }
    for (const row of found) rows.push(row);
    const groups = (event.groups ?? []).flatMap(({ uuid }) => tables.groups.byUuid(uuid)?.id ?? []);
    return { contacts: [...new Set(rows)], groups: [...new Set(groups)] };
  }

  #note(kind: string, { run, contact }: EventPlace, text: string): void {
    const where = run === undefined ? "a flow" : `flow '${run.flow.name}'`;
    this.#options.notes.note(kind, `${where}: ${text}`, contact.row);
  }
}

/** The URL of an attachment `image/jpeg:https://…`. */
function urlOf(attachment: string): string {
  return attachment.slice(attachment.indexOf(":") + 1);
}
