import type { HandledText } from "../gateway/index.js";
import type { Workers } from "./backlog.js";
import type { CampaignFires } from "./campaign-fires.js";
import type { ContactSessions } from "./contacts.js";
import type { FieldRow } from "./fields.js";
import type { StartFlow } from "./flow-starts.js";
import type { FlowSessions } from "./sessions/flow-sessions.js";
import type { TriggerFlows } from "./sessions/trigger-flows.js";
import type { ContactObserver } from "./tables/observed-tables.js";

/** Parts that are made later, and that earlier parts call. */
interface LaterParts {
  readonly fires: CampaignFires;
  readonly sessions: FlowSessions;
  readonly triggerFlows: TriggerFlows;
  readonly workers: Workers;
}

/**
 * Calls that run against the order in which an account's parts are made (contacts, flows, campaigns): contacts report
 * their changes to campaigns and sessions, and flows start flows. They are forwarded to the parts that `connect`
 * names.
 */
export class AccountEvents implements ContactObserver, ContactSessions {
  #later: LaterParts | undefined;

  /** Call it once, when all parts exist. Until then every other method throws. */
  connect(later: LaterParts): void {
    this.#later = later;
  }

  get #parts(): LaterParts {
    if (this.#later === undefined) throw new Error("a part of the account calls another before all parts exist");
    return this.#later;
  }

  contactChanged(contact: number): void {
    this.#parts.fires.contactChanged(contact);
  }

  contactSeen(contact: number): void {
    this.#parts.fires.contactSeen(contact);
  }

  groupEnds(group: number): void {
    this.#parts.fires.groupEnds(group);
  }

  fieldAdded(field: FieldRow): void {
    this.#parts.fires.fieldAdded(field);
  }

  /** Called when a setting of the organisation changes on which dates depend. */
  dateSettingsChanged(): void {
    this.#parts.fires.settingsChanged();
  }

  interrupt(contact: number): void {
    this.#parts.sessions.interrupt(contact);
  }

  forget(contact: number): void {
    this.#parts.sessions.forget(contact);
  }

  startFlow(...start: Parameters<StartFlow>): boolean {
    return this.#parts.sessions.start(...start);
  }

  textLeft(text: HandledText): void {
    this.#parts.triggerFlows.handleLeftText(text);
  }

  get workers(): Workers {
    return this.#parts.workers;
  }
}
