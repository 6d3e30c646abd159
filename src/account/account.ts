import type { Kernel, Streams } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Channels, FlowHandler, Journal, Messages } from "../gateway/index.js";
import type { AccountPorts } from "./account-ports.js";
import { Routing } from "./routing.js";
import { Backlog, type Workers } from "./backlog.js";
import { Boundaries } from "./boundaries.js";
import { Broadcasts, type Render } from "./broadcasts.js";
import { CampaignActions } from "./campaign-actions.js";
import { CampaignEvents } from "./campaign-events.js";
import { CampaignFires } from "./campaign-fires.js";
import { Campaigns } from "./campaigns.js";
import { Contacts, type Directory } from "./contacts.js";
import { AccountFieldContext } from "./field-context.js";
import { Fields } from "./fields.js";
import { FlowCalls } from "./flow-calls.js";
import { FlowStarts } from "./flow-starts.js";
import { Flows } from "./flows.js";
import { Groups } from "./groups/groups.js";
import { Labels } from "./labels.js";
import { IdUuids } from "./id-uuids.js";
import { MessageActions } from "./message-actions.js";
import { Organisation } from "./organisation.js";
import { Resthooks } from "./resthooks.js";
import { Runs } from "./runs.js";
import { ContactStates } from "./sessions/contact-states.js";
import type { MissingReference } from "../flow/index.js";
import { searchMissingInAccount } from "./load/missing-in-account.js";
import { FlowAssets } from "./sessions/flow-assets.js";
import { FlowDefinitions } from "./sessions/flow-definitions.js";
import { FlowNotes } from "./sessions/flow-notes.js";
import { FlowSessions } from "./sessions/flow-sessions.js";
import { MessageTemplates } from "./sessions/message-templates.js";
import { SprintEffects } from "./sessions/sprint-effects.js";
import { TriggerFlows } from "./sessions/trigger-flows.js";
import { Schedules } from "./schedules.js";
import { SmartGroups } from "./groups/smart-groups.js";
import type { AccountTables } from "./tables/account-tables.js";
import { observedTables } from "./tables/observed-tables.js";
import { Triggers } from "./triggers.js";
import { Workload } from "./workload.js";

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
  /** What flows, campaigns and schedules could not do: distinct sentences, in the order in which it happened. */
  readonly flowNotes: Pick<FlowNotes, "problems">;
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
  /** Work that is left to later kernel steps. */
  readonly backlog: Backlog;
  readonly workload: Workload;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Finds what flows with these UUIDs refer to and the account lacks now. Yields the units of work of each step. */
  readonly searchMissingReferences: (flows: ReadonlySet<string>) => Generator<number, readonly MissingReference[]>;
  readonly #campaignFires: CampaignFires;
  readonly #schedules: Schedules;

  constructor(given: AccountOptions) {
    const tables = observedTables(given.tables, {
      contactChanged: (contact) => this.#campaignFires.contactChanged(contact),
      contactSeen: (contact) => this.#campaignFires.contactSeen(contact),
      groupEnds: (group) => this.#campaignFires.groupEnds(group),
    });
    const options = { ...given, tables };
    this.startsAtMs = given.startsAtMs;
    this.boundaries = new Boundaries({ table: tables.boundaries });
    this.organisation = new Organisation({
      ...options,
      table: tables.organisation,
      changed: (before, { timezone, dateStyle }) => {
        if (before.timezone !== timezone || before.dateStyle !== dateStyle) this.#campaignFires.settingsChanged();
      },
    });
    const { boundaries, organisation } = this;
    this.fieldContext = new AccountFieldContext({ ...options, boundaries, organisation, fields: tables.fields });
    this.workload = new Workload(options);
    const { workload, fieldContext: context } = this;
    const backlog = new Backlog({ ...options, workload, workers: () => workers });
    this.backlog = backlog;
    const settings = (): string => `${context.timezone} ${context.dateStyle} ${boundaries.version}`;
    const smartGroups = new SmartGroups({ ...options, context, settings, workload, backlog });
    this.#campaignFires = new CampaignFires({
      ...options,
      workload,
      tables: given.tables,
      context: () => this.fieldContext,
      act: (planned, contact) => campaignActions.act(planned, contact),
      push: (channel) => options.ports.push(channel),
    });
    const fires = this.#campaignFires;
    this.campaignEvents = new CampaignEvents({ ...options, table: tables.campaignEvents, fires });
    this.campaigns = new Campaigns({ ...options, table: tables.campaigns, fires });
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
    const render: Render = (template, contact) => templates.render(template, contact);
    this.broadcasts = new Broadcasts({ ...options, contacts: this.contacts, routing: this.routing, render, workload });
    this.fields = new Fields({
      ...options,
      table: tables.fields,
      smartGroups,
      added: (field) => fires.fieldAdded(field),
    });
    const notes = new FlowNotes(options);
    this.flowNotes = notes;
    const campaignActions = new CampaignActions({
      ...options,
      contacts: this.contacts,
      routing: this.routing,
      render,
      sessions: () => this.flowSessions,
      notes,
      primaryLanguage: () => organisation.get().primaryLanguage,
    });
    const definitions = new FlowDefinitions({ tables, note: (kind, text) => notes.note(kind, text) });
    this.searchMissingReferences = (flows) =>
      searchMissingInAccount(definitions.readable(flows), { ...options, boundaries, organisation });
    this.flows = new Flows({ ...options, table: tables.flows, changed: (id) => definitions.forget(id) });
    this.flowCalls = new FlowCalls({ ...options, table: tables.flowCalls });
    this.flowStarts = new FlowStarts({
      ...options,
      workload,
      startFlow: (contact, flow, order) => this.flowSessions.start(contact, flow, order),
    });
    this.groups = new Groups({ ...options, smartGroups, workload, backlog });
    this.labels = new Labels({ ...options, table: tables.labels });
    this.messageActions = new MessageActions({ ...options, table: tables.messages });
    this.messages = options.messages;
    this.messageUuids = new IdUuids(options.streams, "message");
    this.resthooks = new Resthooks({ ...options, table: tables.resthooks });
    this.runs = new Runs({ ...options, table: tables.runs });
    this.#schedules = new Schedules({ ...options, organisation, flowStarts: this.flowStarts, notes });
    this.triggers = new Triggers({ ...options, table: tables.triggers, schedules: this.#schedules });
    const contactStates = new ContactStates({ ...options, context: this.fieldContext });
    const { contacts, broadcasts, flowStarts, resthooks, routing, messageUuids, fieldContext } = this;
    const shared = {
      ...options,
      backlog,
      workload,
      boundaries,
      organisation,
      fieldContext,
      routing,
      smartGroups,
      definitions,
      contactStates,
      notes,
    };
    const assets = new FlowAssets(shared);
    const templates = new MessageTemplates({ ...shared, assets });
    const effects = new SprintEffects({ ...shared, contacts, broadcasts, flowStarts, resthooks });
    this.flowSessions = new FlowSessions({
      ...shared,
      messageUuids,
      calls: this.flowCalls,
      assets,
      effects,
      textLeft: (text) => triggerFlows.handleLeftText(text),
    });
    const triggerFlows = new TriggerFlows({ ...shared, tables, contacts, sessions: this.flowSessions });
    this.flowHandler = triggerFlows;
    const workers: Workers = {
      text({ text }) {
        triggerFlows.handleLeftText(text);
        return undefined;
      },
      call(call) {
        triggerFlows.handleLeftCall(call);
        return undefined;
      },
      contact(task) {
        smartGroups.updateLater(task);
        return undefined;
      },
      queries: (task) => smartGroups.parseSome(task),
      members: (task) => smartGroups.findSomeMembers(task),
      leavers: (task) => this.groups.releaseSome(task),
      order: (task) => effects.continueOrder(task),
    };
  }

  /**
   * Continues the broadcasts, deliveries, sessions, flow starts, campaigns and schedules that were unfinished when the database
   * was closed.
   *
   * @param backlog - `Backlog.state` at that time; default: empty
   */
  continueRecorded(backlog = "[]"): void {
    this.broadcasts.continueUnfinished();
    this.resthooks.continuePending();
    this.flowSessions.continueRecorded();
    this.flowStarts.continueUnfinished();
    this.#campaignFires.continueRecorded();
    this.#schedules.wake();
    this.backlog.restore(backlog);
  }
}
