import type { Kernel, Streams } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Channels, FlowHandler, Journal, Messages } from "../gateway/index.js";
import type { AccountPorts } from "./account-ports.js";
import { Routing } from "./routing.js";
import { evaluateTemplate } from "./text/templates.js";
import { Boundaries } from "./boundaries.js";
import { Broadcasts } from "./broadcasts.js";
import { CampaignEvents } from "./campaign-events.js";
import { Campaigns } from "./campaigns.js";
import { Contacts, type Directory } from "./contacts.js";
import { AccountFieldContext } from "./field-context.js";
import { Fields } from "./fields.js";
import { FlowCalls } from "./flow-calls.js";
import { FlowStarts } from "./flow-starts.js";
import { Flows } from "./flows.js";
import { Groups } from "./groups.js";
import { Labels } from "./labels.js";
import { IdUuids } from "./id-uuids.js";
import { MessageActions } from "./message-actions.js";
import { Organisation } from "./organisation.js";
import { Resthooks } from "./resthooks.js";
import { Runs } from "./runs.js";
import { ContactStates } from "./sessions/contact-states.js";
import { FlowAssets } from "./sessions/flow-assets.js";
import { FlowDefinitions } from "./sessions/flow-definitions.js";
import { FlowNotes } from "./sessions/flow-notes.js";
import { FlowSessions } from "./sessions/flow-sessions.js";
import { SprintEffects } from "./sessions/sprint-effects.js";
import { TriggerFlows } from "./sessions/trigger-flows.js";
import { SmartGroups } from "./smart-groups.js";
import type { AccountTables } from "./tables/account-tables.js";
import { Triggers } from "./triggers.js";
import { contactView } from "./text/contact-view.js";

/** What an account is made from. */
export interface AccountOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly tables: AccountTables;
  readonly preset: ServicePreset;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly ports: AccountPorts;
  readonly journal: Journal;
  readonly channels: Channels;
  readonly messages: Messages;
  readonly directory: Directory;
  /** Whether the REST API is offered: then the times that only it shows are recorded, too. */
  readonly isServed: boolean;
}

/** Everything that clients of the REST API can change, one property per resource. */
export class Account {
  readonly boundaries: Boundaries;
  readonly broadcasts: Broadcasts;
  readonly campaignEvents: CampaignEvents;
  readonly campaigns: Campaigns;
  /** The current records; the stored rows may be older. */
  readonly channels: Pick<Channels, "get" | "byUuid">;
  readonly contacts: Contacts;
  /** Settings on which field values, queries and templates depend. */
  readonly fieldContext: AccountFieldContext;
  readonly fields: Fields;
  readonly flowCalls: FlowCalls;
  readonly flows: Flows;
  /** What the gateway asks about each text and call. */
  readonly flowHandler: FlowHandler;
  readonly flowSessions: FlowSessions;
  readonly flowStarts: FlowStarts;
  readonly groups: Groups;
  readonly labels: Labels;
  readonly messageActions: MessageActions;
  readonly messages: Pick<Messages, "send">;
  readonly messageUuids: IdUuids;
  readonly organisation: Organisation;
  readonly resthooks: Resthooks;
  readonly routing: Routing;
  readonly runs: Runs;
  readonly triggers: Triggers;

  constructor(options: AccountOptions) {
    const { tables } = options;
    this.boundaries = new Boundaries({ table: tables.boundaries });
    this.organisation = new Organisation({ ...options, table: tables.organisation });
    const { boundaries, organisation } = this;
    this.fieldContext = new AccountFieldContext({ ...options, boundaries, organisation, fields: tables.fields });
    const smartGroups = new SmartGroups({ ...options, context: this.fieldContext });
    this.campaignEvents = new CampaignEvents({ ...options, table: tables.campaignEvents });
    this.campaigns = new Campaigns({ ...options, table: tables.campaigns });
    this.channels = options.channels;
    this.contacts = new Contacts({
      ...options,
      smartGroups,
      sessions: {
        interrupt: (contact) => this.flowSessions.interrupt(contact),
        forget: (contact) => this.flowSessions.forget(contact),
      },
    });
    this.routing = new Routing({ channels: options.channels, contacts: tables.contacts });
    this.broadcasts = new Broadcasts({
      ...options,
      contacts: this.contacts,
      routing: this.routing,
      render: (template, contact) =>
        evaluateTemplate(
          template,
          contactView(contact, { groups: tables.groups, startsAtMs: options.startsAtMs }),
          this.fieldContext,
        ),
    });
    this.fields = new Fields({ ...options, table: tables.fields, smartGroups });
    const notes = new FlowNotes(options);
    const definitions = new FlowDefinitions({ tables, note: (kind, text) => notes.note(kind, text) });
    this.flows = new Flows({ ...options, table: tables.flows, changed: (id) => definitions.forget(id) });
    this.flowCalls = new FlowCalls({ ...options, table: tables.flowCalls });
    this.flowStarts = new FlowStarts({
      ...options,
      startFlow: (contact, flow, order) => this.flowSessions.start(contact, flow, order),
    });
    this.groups = new Groups({ ...options, smartGroups });
    this.labels = new Labels({ ...options, table: tables.labels });
    this.messageActions = new MessageActions({ ...options, table: tables.messages });
    this.messages = options.messages;
    this.messageUuids = new IdUuids(options.streams, "message");
    this.resthooks = new Resthooks({ ...options, table: tables.resthooks });
    this.runs = new Runs({ ...options, table: tables.runs });
    this.triggers = new Triggers({ ...options, table: tables.triggers });
    const contactStates = new ContactStates({ ...options, context: this.fieldContext });
    const { contacts, broadcasts, flowStarts, resthooks, routing, messageUuids, fieldContext } = this;
    const shared = { ...options, organisation, fieldContext, routing, smartGroups, definitions, contactStates, notes };
    this.flowSessions = new FlowSessions({
      ...shared,
      messageUuids,
      calls: this.flowCalls,
      assets: new FlowAssets(shared),
      effects: new SprintEffects({ ...shared, contacts, broadcasts, flowStarts, resthooks }),
    });
    this.flowHandler = new TriggerFlows({ tables, sessions: this.flowSessions, definitions, notes });
  }

  /** Continues the broadcasts, deliveries, sessions and flow starts that were unfinished when the database was closed. */
  continueRecorded(): void {
    this.broadcasts.continueUnfinished();
    this.resthooks.continuePending();
    this.flowSessions.continueRecorded();
    this.flowStarts.continueUnfinished();
  }
}
