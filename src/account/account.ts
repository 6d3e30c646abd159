import type { MissingReference } from "../flow/index.js";
import type { Channels, FlowHandler, Messages } from "../gateway/index.js";
import { AccountEvents } from "./account-events.js";
import type { Backlog } from "./backlog.js";
import type { Boundaries } from "./boundaries.js";
import type { Broadcasts } from "./broadcasts.js";
import type { CampaignEvents } from "./campaign-events.js";
import type { CampaignFires } from "./campaign-fires.js";
import type { Campaigns } from "./campaigns.js";
import type { Contacts } from "./contacts.js";
import type { AccountFieldContext } from "./field-context.js";
import type { Fields } from "./fields.js";
import type { FlowCalls } from "./flow-calls.js";
import type { FlowStarts } from "./flow-starts.js";
import type { Flows } from "./flows.js";
import type { Groups } from "./groups/groups.js";
import type { IdUuids } from "./id-uuids.js";
import { Labels } from "./labels.js";
import { MessageActions } from "./message-actions.js";
import type { Organisation } from "./organisation.js";
import type { Resthooks } from "./resthooks.js";
import type { Routing } from "./routing.js";
import type { Runs } from "./runs.js";
import type { Schedules } from "./schedules.js";
import type { FlowNotes } from "./sessions/flow-notes.js";
import type { FlowSessions } from "./sessions/flow-sessions.js";
import type { Triggers } from "./triggers.js";
import {
  type AccountOptions,
  missingReferences,
  wireCampaigns,
  wireContacts,
  wireFlows,
  wireFoundation,
  workersOf,
} from "./wiring.js";
import type { Workload } from "./workload.js";

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
  /** The account's answers to the gateway about each text and call. */
  readonly flowHandler: FlowHandler;
  readonly flowSessions: FlowSessions;
  readonly flowStarts: FlowStarts;
  /** What flows, campaigns and schedules failed to do: distinct sentences, in the order of first occurrence. */
  readonly flowNotes: Pick<FlowNotes, "warnings">;
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
  /**
   * Finds the objects that flows with these UUIDs refer to and that the account lacks now. Yields the units of work of
   * each step.
   */
  readonly searchMissingReferences: (flows: ReadonlySet<string>) => Generator<number, readonly MissingReference[]>;
  readonly #campaignFires: CampaignFires;
  readonly #schedules: Schedules;

  constructor(options: AccountOptions) {
    const events = new AccountEvents();
    const base = wireFoundation(options, events);
    const contacts = wireContacts(base);
    const flows = wireFlows(base, contacts);
    const campaigns = wireCampaigns(base, contacts, flows);
    events.connect({
      fires: campaigns.fires,
      sessions: flows.flowSessions,
      triggerFlows: flows.triggerFlows,
      workers: workersOf(contacts, flows),
    });
    const { tables } = base;

    this.startsAtMs = base.startsAtMs;
    this.boundaries = base.boundaries;
    this.organisation = base.organisation;
    this.fieldContext = base.fieldContext;
    this.workload = base.workload;
    this.backlog = base.backlog;
    this.flowNotes = base.notes;
    this.routing = base.routing;
    this.channels = base.channels;
    this.messages = base.messages;
    this.messageActions = new MessageActions({ ...base, table: tables.messages });
    this.labels = new Labels({ ...base, table: tables.labels });

    this.contacts = contacts.contacts;
    this.fields = contacts.fields;
    this.groups = contacts.groups;

    this.broadcasts = flows.broadcasts;
    this.flowCalls = flows.flowCalls;
    this.flowHandler = flows.triggerFlows;
    this.flows = flows.flows;
    this.flowSessions = flows.flowSessions;
    this.flowStarts = flows.flowStarts;
    this.messageUuids = flows.messageUuids;
    this.resthooks = flows.resthooks;
    this.runs = flows.runs;
    this.searchMissingReferences = missingReferences(base, flows);

    this.campaignEvents = campaigns.campaignEvents;
    this.campaigns = campaigns.campaigns;
    this.triggers = campaigns.triggers;
    this.#campaignFires = campaigns.fires;
    this.#schedules = campaigns.schedules;
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
