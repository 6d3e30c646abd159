import type { Contact, FlowHandler, HandledText, TextHandling } from "../../gateway/index.js";
import { chooseTrigger } from "../../flow/index.js";
import type { CallEventType } from "../../wire/index.js";
import type { FlowRow } from "../flows.js";
import type { Backlog, TaskOf } from "../backlog.js";
import type { Contacts } from "../contacts.js";
import type { AccountTables } from "../tables/account-tables.js";
import type { TriggerRow } from "../triggers.js";
import type { Workload } from "../workload.js";
import type { FlowDefinitions } from "./flow-definitions.js";
import type { FlowNotes } from "./flow-notes.js";
import type { FlowSessions } from "./flow-sessions.js";
import type { SessionCause } from "./session-order.js";

/** The parts of the account that decide which flow handles a text or a call. */
interface TriggerFlowsOptions {
  readonly tables: Pick<AccountTables, "contacts" | "flows" | "groups" | "triggers">;
  readonly contacts: Pick<Contacts, "withPhone">;
  readonly sessions: FlowSessions;
  readonly definitions: FlowDefinitions;
  readonly notes: FlowNotes;
  readonly workload: Pick<Workload, "isStepFull">;
  readonly backlog: Pick<Backlog, "add">;
}

/** Letters of trigger types (docs/reference/flows.md#triggers). */
const KEYWORD = "K";
const CATCH_ALL = "C";
const MISSED_CALL = "M";
const INCOMING_CALL = "V";
const NEW_CONVERSATION = "N";

/**
 * Hands texts and calls to flows (docs/reference/flows.md#incoming-messages). The order for a text: a keyword trigger;
 * the session that waits for it; a trigger for new conversations, if it is the contact's first text; a catch-all.
 */
export class TriggerFlows implements FlowHandler {
  readonly #options: TriggerFlowsOptions;

  constructor(options: TriggerFlowsOptions) {
    this.#options = options;
  }

  flowForText(
    contact: Contact,
    { channel, text }: { readonly channel: number; readonly text: string },
  ): TextHandling | undefined {
    const { sessions, tables, definitions } = this.#options;
    const triggers = tables.triggers.active();
    const session = sessions.sessionOf(contact.row);
    if (triggers.length === 0 && session === undefined) return undefined;
    const groups = this.#groupsOf(contact, triggers);
    const choose = (type: string): TriggerRow | undefined => chooseTrigger(triggers, { type, text, channel, groups });
    const current = session && sessions.flowOf(session);
    const isDeaf = current !== undefined && definitions.of(current)?.ignoresTriggers === true;
    const byKeyword = isDeaf ? undefined : choose(KEYWORD);
    const started = byKeyword && this.#starting(contact, byKeyword, keywordCause(byKeyword));
    if (started !== undefined) return started;
    if (session !== undefined) {
      return current && this.#handling(current, (message) => sessions.resume(contact.row, message));
    }
    const isFirst = tables.contacts.get(contact.row)?.lastSeenAtMs === null;
    for (const type of isFirst ? [NEW_CONVERSATION, CATCH_ALL] : [CATCH_ALL]) {
      const trigger = choose(type);
      const handling = trigger && this.#starting(contact, trigger, { type: "msg" });
      if (handling !== undefined) return handling;
    }
    return undefined;
  }

  /** Handles a text from the backlog, or one that came during an HTTP call and remained when the session ended. */
  handleLeftText(text: HandledText): void {
    const contact = this.#options.contacts.withPhone(text.phone);
    if (!contact.getsNothing) this.flowForText(contact, text)?.handle(text);
  }

  /** Handles a call from the backlog. */
  handleLeftCall({ phone, channel, type }: TaskOf<"call">): void {
    const contact = this.#options.contacts.withPhone(phone);
    if (!contact.getsNothing) this.handleCall(contact, { channel, type });
  }

  handleCall(contact: Contact, { channel, type }: { readonly channel: number; readonly type: CallEventType }): void {
    const letter = type === "mo_miss" ? MISSED_CALL : type === "mo_call" ? INCOMING_CALL : undefined;
    if (letter === undefined) return;
    const { sessions, tables, workload, backlog } = this.#options;
    const triggers = tables.triggers.active();
    if (triggers.length === 0) return;
    const trigger = chooseTrigger(triggers, { type: letter, channel, groups: this.#groupsOf(contact, triggers) });
    if (trigger === undefined) return;
    const flow = this.#flowOf(trigger, contact);
    const row = tables.contacts.get(contact.row);
    if (flow === undefined || row === undefined) return;
    if (workload.isStepFull) backlog.add({ kind: "call", phone: contact.phone, channel, type });
    else sessions.start(row, flow, { cause: { type: "channel" }, channel });
  }

  /** The contact's groups; empty when no trigger is limited to groups. */
  #groupsOf({ row }: Contact, triggers: readonly TriggerRow[]): ReadonlySet<number> {
    const areLimited = triggers.some(({ groups, excludeGroups }) => groups.length + excludeGroups.length > 0);
    return new Set(areLimited ? this.#options.tables.groups.groupsOf(row).map(({ id }) => id) : []);
  }

  #starting(contact: Contact, trigger: TriggerRow, cause: SessionCause): TextHandling | undefined {
    const flow = this.#flowOf(trigger, contact);
    if (flow === undefined) return undefined;
    return this.#handling(flow, (message) => {
      const row = this.#options.tables.contacts.get(contact.row);
      if (row !== undefined) this.#options.sessions.start(row, flow, { cause, message });
    });
  }

  /** A handling that goes to the backlog if the step is full, because one sync of a phone can report fifty texts. */
  #handling(flow: FlowRow, handle: (message: HandledText) => void): TextHandling {
    const { workload, backlog } = this.#options;
    return {
      flow: flow.id,
      handle(message) {
        if (!workload.isStepFull) return handle(message);
        // The backlog is stored, so it gets only these properties of the message.
        const { row, id, text, phone, channel } = message;
        backlog.add({ kind: "text", text: { row, id, text, phone, channel } });
      },
    };
  }

  /** The flow of a trigger, unless it was archived. */
  #flowOf({ flow: id, type }: TriggerRow, contact: Pick<Contact, "row">): FlowRow | undefined {
    const flow = this.#options.tables.flows.get(id);
    if (flow !== undefined && !flow.isArchived) return flow;
    const name = flow === undefined ? "that is missing" : `'${flow.name}', which is archived`;
    this.#options.notes.note(
      "trigger-ignored",
      `a trigger of type ${type} does not start the flow ${name}`,
      contact.row,
    );
    return undefined;
  }
}

function keywordCause({ matchType, keyword }: TriggerRow): SessionCause {
  return { type: "msg", keyword: { type: matchType === "F" ? "first_word" : "only_word", keyword: keyword ?? "" } };
}
