import { campaignFireTime } from "../flow/index.js";
import type { Kernel, SimTime, Timer } from "../sim/index.js";
import type { CampaignUnit } from "../wire/index.js";
import { type CampaignEventRow, type EventObserver, systemDates } from "./campaign-events.js";
import type { CampaignObserver, CampaignRow } from "./campaigns.js";
import type { FieldRow } from "./fields.js";
import { CampaignPlan, type PlannedEvent } from "./campaign-plan.js";
import { CONTACT_UNITS, SLICE, SLICE_EVERY_MS } from "./slices.js";
import type { AccountTables } from "./tables/account-tables.js";
import type { CampaignFire } from "./tables/campaign-fire-table.js";
import type { ContactRow } from "./tables/contact-table.js";
import type { ContactObserver } from "./tables/observed-tables.js";
import { rawFieldOf } from "./text/contact-view.js";
import { type DateContext, parseDateText } from "./text/date-text.js";
import type { Workload } from "./workload.js";

/** Performs an event for a contact when it fires. Returns the channel whose phone has a message to send, if any. */
export type CampaignAction = (planned: PlannedEvent, contact: ContactRow) => number | undefined;

/** Contacts whose fires one kernel step computes. */
const STALE_SLICE = 500;

/** Units of work to compute a fire, and to store it. */
const FIRE_UNITS = 20;

/** The end of the year 9999, in milliseconds since 1970: later fires are not kept. */
const endMs = 253_402_300_800_000;

const unitMs: Readonly<Record<CampaignUnit, number>> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

/**
 * Fires the events of campaigns (docs/reference/flows.md#campaigns): keeps one pending fire for each event and
 * contact, and acts at exactly its instant.
 *
 * Changes of contacts come through `observedTables`. Each change marks the contact in the table. A kernel timer of the
 * same instant computes the contact's fires again, once for any number of changes. So a killed service loses no
 * change. Without campaign events a change costs one comparison.
 */
export class CampaignFires implements ContactObserver, EventObserver, CampaignObserver {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #tables: Pick<
    AccountTables,
    "campaignEvents" | "campaignFires" | "campaigns" | "contacts" | "fields" | "groups"
  >;
  readonly #context: DateContext;
  readonly #act: CampaignAction;
  readonly #push: (channel: number) => void;
  readonly #plan: CampaignPlan;
  readonly #workload: Workload;
  #isUpdateScheduled = false;
  /** Groups whose members have all been marked since the last update of contacts. */
  readonly #markedGroups = new Set<number>();
  #fireTimer: Timer | undefined;
  #fireTimerAtMs: SimTime | undefined;
  /** The instant of the next slice, while more fires are due than one slice holds. */
  #nextSliceAtMs = 0;

  /** @param options - `tables`: not the observed ones; `context`: the settings now; `act`: called once for each fire */
  constructor(options: {
    kernel: Kernel;
    startsAtMs: number;
    tables: AccountTables;
    context: DateContext;
    act: CampaignAction;
    push: (channel: number) => void;
    workload: Workload;
  }) {
    this.#kernel = options.kernel;
    this.#startsAtMs = options.startsAtMs;
    this.#tables = options.tables;
    this.#context = options.context;
    this.#act = options.act;
    this.#push = options.push;
    this.#plan = new CampaignPlan(options.tables);
    this.#workload = options.workload;
  }

  contactChanged(contact: number): void {
    if (this.#plan.isEmpty) {
      // The contact is not marked now, so if its groups get events, all their members must be marked again.
      this.#markedGroups.clear();
      return;
    }
    this.#tables.campaignFires.markStale(contact);
    this.#scheduleUpdate();
  }

  contactSeen(contact: number): void {
    if (this.#plan.usesLastSeen) this.contactChanged(contact);
  }

  groupEnds(group: number): void {
    if (!this.#plan.hasGroup(group)) return;
    this.#markMembers(group);
    this.#scheduleUpdate();
  }

  eventChanged(event: CampaignEventRow): void {
    this.#tables.campaignFires.removePendingOf(event.id);
    this.#plan.putEvent(event);
    const campaign = this.#tables.campaigns.get(event.campaign);
    if (campaign !== undefined) this.#updateMembers(campaign);
  }

  eventActs(event: CampaignEventRow): void {
    this.#plan.putEvent(event);
  }

  eventRemoved(event: number): void {
    this.#plan.removeEvent(event);
    this.#tables.campaignFires.removePendingOf(event);
    this.#wake();
  }

  countOfGroup(group: number): number {
    return this.#plan.countOfGroup(group);
  }

  campaignChanged(campaign: CampaignRow): void {
    for (const { id } of this.#tables.campaignEvents.ofCampaign(campaign.id))
      this.#tables.campaignFires.removePendingOf(id);
    this.#plan.replaceCampaign(campaign);
    this.#updateMembers(campaign);
  }

  campaignRenamed(campaign: CampaignRow): void {
    this.#plan.replaceCampaign(campaign);
  }

  /** Called when a field was added: it takes precedence over a date of contacts with the same key. */
  fieldAdded({ key }: Pick<FieldRow, "key">): void {
    if (systemDates.has(key)) this.settingsChanged();
  }

  /** Called when the organisation's time zone or date style changed. */
  settingsChanged(): void {
    for (const group of this.#plan.groups) this.#markMembers(group);
    this.#scheduleUpdate();
  }

  /** Continues after the database was opened again: overdue fires come immediately. */
  continueRecorded(): void {
    if (this.#tables.campaignFires.staleContacts(1).length > 0) this.#scheduleUpdate();
    this.#wake();
  }

  #updateMembers({ group }: CampaignRow): void {
    if (this.#plan.hasGroup(group)) this.#markMembers(group);
    this.#scheduleUpdate();
    this.#wake();
  }

  /** Marks the current members of a group; contacts that join later are marked when they join. */
  #markMembers(group: number): void {
    if (this.#markedGroups.has(group)) return;
    this.#markedGroups.add(group);
    this.#tables.campaignFires.markMembersStale(group);
  }

  #scheduleUpdate(): void {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    this.#kernel.in(0, this.#update, undefined);
  }

  readonly #update = (): void => {
    this.#isUpdateScheduled = false;
    if (this.#updateSlice()) this.#scheduleUpdate();
    this.#wake();
  };

  /**
   * Computes the fires of one slice of marked contacts.
   * @returns whether more contacts are marked
   */
  #updateSlice(): boolean {
    this.#markedGroups.clear();
    const stale = this.#tables.campaignFires.staleContacts(STALE_SLICE);
    for (const contact of stale) {
      if (this.#workload.isStepFull) return true;
      this.#updateContact(contact);
    }
    return stale.length === STALE_SLICE;
  }

  #updateContact(row: number): void {
    const { campaignFires } = this.#tables;
    this.#markedGroups.clear();
    campaignFires.clearStale(row);
    const wanted = this.#wantedOf(row);
    for (const fire of campaignFires.pendingOf(row)) {
      // A fire whose date has not changed stays, even when it is overdue.
      if (wanted.get(fire.event) === fire.dueAtMs) wanted.delete(fire.event);
      else campaignFires.remove(fire);
    }
    for (const [event, dueAtMs] of wanted) {
      if (dueAtMs >= this.#kernel.now) campaignFires.add({ event, contact: row, dueAtMs });
    }
  }

  /** The due times of the events in the contact's campaigns, past ones included, by event. */
  #wantedOf(row: number): Map<number, SimTime> {
    const { contacts, groups } = this.#tables;
    const wanted = new Map<number, SimTime>();
    const contact = contacts.get(row);
    if (contact?.state !== "active") return wanted;
    this.#workload.add(CONTACT_UNITS);
    for (const { id } of groups.groupsOf(row)) {
      for (const { event } of this.#plan.ofGroup(id)) {
        this.#workload.add(FIRE_UNITS);
        const dueAtMs = this.#dueOf(event, contact);
        if (dueAtMs !== undefined) wanted.set(event.id, dueAtMs);
      }
    }
    return wanted;
  }

  #dueOf(event: CampaignEventRow, contact: ContactRow): SimTime | undefined {
    const context = this.#context;
    const baseMs = this.#dateOf(event.relativeTo, contact, context);
    if (baseMs === undefined || Math.abs(baseMs + event.offset * unitMs[event.unit]) >= endMs) return undefined;
    const dueMs = campaignFireTime({ ...event, timezone: context.timezone }, baseMs, -Infinity);
    return dueMs === undefined ? undefined : dueMs - this.#startsAtMs;
  }

  /** In milliseconds since 1970; undefined when the contact has no such date. */
  #dateOf(key: string, contact: ContactRow, context: DateContext): number | undefined {
    if (systemDates.has(key) && this.#tables.fields.byKey(key) === undefined) {
      const atMs = key === "created_on" ? contact.createdAtMs : contact.lastSeenAtMs;
      return atMs === null ? undefined : this.#startsAtMs + atMs;
    }
    const text = rawFieldOf(contact, key);
    return text === undefined ? undefined : parseDateText(text, context);
  }

  /** Sets the timer to the first pending fire. */
  #wake(): void {
    const firstAtMs = this.#tables.campaignFires.firstDueAtMs();
    const atMs = firstAtMs === undefined ? undefined : Math.max(firstAtMs, this.#kernel.now, this.#nextSliceAtMs);
    if (atMs === this.#fireTimerAtMs) return;
    if (this.#fireTimer !== undefined) this.#kernel.cancel(this.#fireTimer);
    this.#fireTimerAtMs = atMs;
    this.#fireTimer = atMs === undefined ? undefined : this.#kernel.at(atMs, this.#fireSlice, undefined);
  }

  readonly #fireSlice = (): void => {
    this.#fireTimer = this.#fireTimerAtMs = undefined;
    const { now } = this.#kernel;
    // A contact that left the group at this instant no longer qualifies.
    while (this.#updateSlice()) if (this.#workload.isStepFull) return this.#wake();
    const fires = this.#tables.campaignFires.dueBy(now, SLICE);
    const channels = new Set<number>();
    let fired = 0;
    for (const fire of fires) {
      if (this.#workload.isStepFull) break;
      fired++;
      const channel = this.#fire(fire);
      if (channel !== undefined) channels.add(channel);
    }
    for (const channel of [...channels].toSorted((a, b) => a - b)) this.#push(channel);
    if (fired < fires.length || fires.length === SLICE) this.#nextSliceAtMs = now + SLICE_EVERY_MS;
    this.#wake();
  };

  #fire(fire: CampaignFire): number | undefined {
    const { campaignFires, contacts } = this.#tables;
    // An earlier fire of this slice may have changed the contact.
    if (campaignFires.isStale(fire.contact)) {
      this.#updateContact(fire.contact);
      const isPending = campaignFires
        .pendingOf(fire.contact)
        .some(({ event, dueAtMs }) => event === fire.event && dueAtMs === fire.dueAtMs);
      if (!isPending) return undefined;
    }
    campaignFires.setDone(fire, this.#kernel.now);
    const planned = this.#plan.event(fire.event);
    const contact = contacts.get(fire.contact);
    return planned && contact && this.#act(planned, contact);
  }
}
