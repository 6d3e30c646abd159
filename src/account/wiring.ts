import type { MissingReference } from "../flow/index.js";
import type { Channels, Journal, Messages } from "../gateway/index.js";
import type { Kernel, Streams } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { AccountEvents } from "./account-events.js";
import type { AccountPorts } from "./account-ports.js";
import { Backlog, type Workers } from "./backlog.js";
import { Boundaries } from "./boundaries.js";
import { Broadcasts } from "./broadcasts.js";
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
import { SmartGroups } from "./groups/smart-groups.js";
import { IdUuids } from "./id-uuids.js";
import { searchMissingInAccount } from "./load/missing-in-account.js";
import { Organisation } from "./organisation.js";
import { Resthooks } from "./resthooks.js";
import { Routing } from "./routing.js";
import { Runs } from "./runs.js";
import { Schedules } from "./schedules.js";
import { ContactStates } from "./sessions/contact-states.js";
import { FlowAssets } from "./sessions/flow-assets.js";
import { FlowDefinitions } from "./sessions/flow-definitions.js";
import { FlowNotes } from "./sessions/flow-notes.js";
import { FlowSessions } from "./sessions/flow-sessions.js";
import { MessageTemplates } from "./sessions/message-templates.js";
import { SprintEffects } from "./sessions/sprint-effects.js";
import { TriggerFlows } from "./sessions/trigger-flows.js";
import type { AccountTables } from "./tables/account-tables.js";
import { observedTables } from "./tables/observed-tables.js";
import { Triggers } from "./triggers.js";
import { Workload } from "./workload.js";

/** The parts and settings from which an account is made. */
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

// The steps' types are inferred: `Account` declares the part that each property has.
type Foundation = ReturnType<typeof wireFoundation>;
type ContactParts = ReturnType<typeof wireContacts>;
type FlowParts = ReturnType<typeof wireFlows>;

/** Step 1: settings, bounded work, and the tables that report their changes to `events`. */
export function wireFoundation(given: AccountOptions, events: AccountEvents) {
  const tables = observedTables(given.tables, events);
  // Changes through `tables` are reported to campaigns; changes through `plainTables` are not.
  const options = { ...given, tables, plainTables: given.tables, events };
  const boundaries = new Boundaries({ table: tables.boundaries });
  const organisation = new Organisation({
    ...options,
    table: tables.organisation,
    changed: (before, { timezone, dateStyle }) => {
      if (before.timezone !== timezone || before.dateStyle !== dateStyle) events.dateSettingsChanged();
    },
  });
  const fieldContext = new AccountFieldContext({ ...options, boundaries, organisation, fields: tables.fields });
  const workload = new Workload(options);
  const backlog = new Backlog({ ...options, workload, workers: () => events.workers });
  const notes = new FlowNotes(options);
  const routing = new Routing({ channels: given.channels, contacts: tables.contacts });
  return { ...options, boundaries, organisation, fieldContext, workload, backlog, notes, routing };
}

/** Step 2: contacts, their fields and their groups. */
export function wireContacts(base: Foundation) {
  const { tables, events, boundaries, fieldContext: context } = base;
  const settings = (): string => `${context.timezone} ${context.dateStyle} ${boundaries.version}`;
  const smartGroups = new SmartGroups({ ...base, context, settings });
  return {
    smartGroups,
    groups: new Groups({ ...base, smartGroups }),
    fields: new Fields({ ...base, table: tables.fields, smartGroups, added: (field) => events.fieldAdded(field) }),
    contacts: new Contacts({ ...base, smartGroups, sessions: events }),
  };
}

/** Step 3: flows, their sessions, and what these send. */
export function wireFlows(base: Foundation, { contacts, smartGroups }: ContactParts) {
  const { tables, events, notes } = base;
  const definitions = new FlowDefinitions({ tables, note: (kind, text) => notes.note(kind, text) });
  const contactStates = new ContactStates({ ...base, context: base.fieldContext });
  const shared = { ...base, contacts, smartGroups, definitions, contactStates };
  const assets = new FlowAssets(shared);
  const templates = new MessageTemplates({ ...shared, assets });
  const broadcasts = new Broadcasts({
    ...shared,
    render: (template, contact) => templates.render(template, contact),
  });
  const flowStarts = new FlowStarts({ ...base, startFlow: (...start) => events.startFlow(...start) });
  const resthooks = new Resthooks({ ...base, table: tables.resthooks });
  const effects = new SprintEffects({ ...shared, broadcasts, flowStarts, resthooks });
  const flowCalls = new FlowCalls({ ...base, table: tables.flowCalls });
  const messageUuids = new IdUuids(base.streams, "message");
  const flowSessions = new FlowSessions({
    ...shared,
    messageUuids,
    calls: flowCalls,
    assets,
    effects,
    textLeft: (text) => events.textLeft(text),
  });
  return {
    definitions,
    flows: new Flows({ ...base, table: tables.flows, changed: (id) => definitions.forget(id) }),
    flowCalls,
    flowStarts,
    flowSessions,
    triggerFlows: new TriggerFlows({ ...shared, sessions: flowSessions }),
    effects,
    templates,
    broadcasts,
    messageUuids,
    resthooks,
    runs: new Runs({ ...base, table: tables.runs }),
  };
}

/** Step 4: campaigns and schedules, which start flows and send messages by the clock. */
export function wireCampaigns(
  base: Foundation,
  { contacts }: ContactParts,
  { flowSessions, flowStarts, templates }: FlowParts,
) {
  const { tables, organisation, ports } = base;
  const actions = new CampaignActions({
    ...base,
    contacts,
    render: (template, contact) => templates.render(template, contact),
    sessions: flowSessions,
    primaryLanguage: () => organisation.get().primaryLanguage,
  });
  const fires = new CampaignFires({
    ...base,
    tables: base.plainTables,
    context: base.fieldContext,
    act: (planned, contact) => actions.act(planned, contact),
    push: (channel) => ports.push(channel),
  });
  const schedules = new Schedules({ ...base, flowStarts });
  return {
    fires,
    campaigns: new Campaigns({ ...base, table: tables.campaigns, fires }),
    campaignEvents: new CampaignEvents({ ...base, table: tables.campaignEvents, fires }),
    schedules,
    triggers: new Triggers({ ...base, table: tables.triggers, schedules }),
  };
}

/** The part that processes each kind of backlog task. */
export function workersOf({ smartGroups, groups }: ContactParts, { triggerFlows, effects }: FlowParts): Workers {
  return {
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
    leavers: (task) => groups.releaseSome(task),
    order: (task) => effects.continueOrder(task),
  };
}

/** Finds the objects that flows refer to and the account lacks. */
export function missingReferences(
  base: Foundation,
  { definitions }: FlowParts,
): (flows: ReadonlySet<string>) => Generator<number, readonly MissingReference[]> {
  return (flows) => searchMissingInAccount(definitions.readable(flows), base);
}
