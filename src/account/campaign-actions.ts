import type { Channel, Messages } from "../gateway/index.js";
import type { PlannedEvent } from "./campaign-plan.js";
import type { Contacts } from "./contacts.js";
import type { Routing } from "./routing.js";
import type { FlowNotes } from "./sessions/flow-notes.js";
import type { FlowSessions } from "./sessions/flow-sessions.js";
import type { AccountTables } from "./tables/account-tables.js";
import type { ContactRow } from "./tables/contact-table.js";
import type { Render } from "./broadcasts.js";
import { baseLanguageOf, textFor } from "./text/translated-text.js";

/** The parts of the account that campaign events act on. */
interface CampaignActionsOptions {
  readonly tables: Pick<AccountTables, "flows">;
  readonly contacts: Pick<Contacts, "withPhone">;
  readonly messages: Pick<Messages, "queue">;
  readonly routing: Routing;
  readonly render: Render;
  readonly sessions: Pick<FlowSessions, "start" | "isInFlow">;
  readonly notes: FlowNotes;
  /** ISO 639-3; null when the organisation has none. */
  readonly primaryLanguage: () => string | null;
}

/** Starts the flow, or sends the message, of a campaign event (docs/reference/flows.md#firing). */
export class CampaignActions {
  readonly #options: CampaignActionsOptions;

  constructor(options: CampaignActionsOptions) {
    this.#options = options;
  }

  /** @returns the id of the channel that has a message to send; undefined when there is none */
  act({ event, campaign }: PlannedEvent, contact: ContactRow): number | undefined {
    const { sessions } = this.#options;
    if (event.startMode === "skip" && sessions.isInFlow(contact.row)) return undefined;
    if (event.message !== null) return this.#send({ event, campaign }, contact);
    this.#startFlow({ event, campaign }, contact);
    return undefined;
  }

  #startFlow({ event, campaign }: PlannedEvent, contact: ContactRow): void {
    const { tables, notes, sessions } = this.#options;
    const flow = event.flow === null ? undefined : tables.flows.get(event.flow);
    if (flow === undefined || flow.isArchived) {
      const name = flow === undefined ? "that is missing" : `'${flow.name}', which is archived`;
      return notes.note("campaign-ignored", `campaign '${campaign.name}' does not start the flow ${name}`, contact.row);
    }
    const { uuid, name } = campaign;
    sessions.start(contact, flow, {
      cause: { type: "campaign", campaign: { uuid, name } },
      embeddedData: event.embeddedData,
      ...(event.startMode === "passive" && { interrupts: false }),
    });
  }

  #send({ event, campaign }: PlannedEvent, contact: ContactRow): number | undefined {
    const { routing, render, messages, contacts } = this.#options;
    const route = routing.routeTo(contact);
    if (route === undefined) return this.#noteUnsent(campaign.name, contact, "no handset reaches the contact");
    const text = render(textFor(contact.language, this.#contentOf(event)), contact);
    if (text.trim() === "") return this.#noteUnsent(campaign.name, contact, "it has no text");
    const channel: Channel = route.channel;
    messages.queue(channel, contacts.withPhone(route.phone), { text, origin: "campaign" });
    return channel.spec.id;
  }

  #contentOf({ message, baseLanguage }: PlannedEvent["event"]): Parameters<typeof textFor>[1] {
    const text = message ?? {};
    return { text, baseLanguage: baseLanguage ?? baseLanguageOf(text, this.#options.primaryLanguage()) };
  }

  #noteUnsent(campaign: string, { row }: ContactRow, why: string): undefined {
    this.#options.notes.note("campaign-ignored", `campaign '${campaign}': a message was not sent: ${why}`, row);
    return undefined;
  }
}
