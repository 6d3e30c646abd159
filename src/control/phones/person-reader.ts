import type {
  AnswerWay,
  CallEntry,
  FoundPerson,
  Listed,
  PersonConversation,
  PersonConversationHead,
  PersonDetails,
  TextEntry,
  TextWay,
} from "../../console/index.js";
import type { StoredLoss, StoredText } from "../../store/index.js";
import { telUrn } from "../../wire/index.js";
import { flowWords } from "./flow-words.js";
import { idOf, type PageAsked, type PhoneLookup } from "./phone-lookup.js";
import {
  asSent,
  carriedEntry,
  type Ends,
  lostEntry,
  newestFirst,
  outgoingEntry,
  personEntry,
  unsyncedEntries,
} from "./text-entries.js";

/** Most answers that the way of a text shows. */
const ANSWERS_SHOWN = 3;

/** Most losses of a person that are searched for calls. */
const LOSSES_READ = 100;

/** Most names that one search generates; the next page continues after them. Generating 10,000 names takes 0.1 s. */
const SEARCHED_MAX = 10_000;

/**
 * Reads single people: texts and calls from the recording, texts in transit from the world. Methods accept a selector
 * of one person or any phone number, known or not, and throw a ControlRefusal for others.
 */
export class PersonReader {
  readonly #lookup: PhoneLookup;

  constructor(lookup: PhoneLookup) {
    this.#lookup = lookup;
  }

  all(): FoundPerson[] {
    const { world } = this.#lookup.served.lab;
    return Array.from({ length: world.population.personCount + world.population.guests.length }, (_, place) => {
      const { selector, phone, name = null } = world.person(place);
      return { selector, phone, name };
    });
  }

  person(who: string): PersonDetails {
    const { phone, card } = this.#lookup.find(who);
    const { lab, conversations, recording } = this.#lookup.served;
    const { world } = lab;
    const contact = conversations.contactWith(telUrn(phone));
    const home = card === undefined ? undefined : world.population.homeOf(card.person);
    return {
      selector: card?.selector ?? phone,
      phone,
      name: contact?.name ?? card?.name ?? null,
      language: card?.language ?? null,
      known: card !== undefined,
      contact: contact?.uuid ?? null,
      home: home ?? null,
      suggested: {
        ...this.#lookup.suggestedTexts(card?.selector ?? "", home),
        ...flowWords(recording.tables, contact),
      },
      at: this.#lookup.at(lab.nowMs),
    };
  }

  /** The conversations of a person. */
  personConversations(who: string): PersonConversationHead[] {
    const { phone } = this.#lookup.find(who);
    const { lab, conversations } = this.#lookup.served;
    const { population } = lab.world;
    const contact = conversations.contactWith(telUrn(phone));
    const rows = contact === undefined ? [] : conversations.headsOfContact(contact.row, phone);
    const channels = new Set(rows.map(({ channel }) => channel));
    for (const { channel, from } of lab.world.carriedTexts()) if (from === phone) channels.add(channel);
    for (const { channel, text } of conversations.losses.page({ phone }, { size: LOSSES_READ }))
      if (text !== null) channels.add(channel);
    const heads = [...channels].flatMap((channel) => {
      const [last] = this.#personTexts({ channel, phone, ...this.#lookup.viewOf(channel) }, { limit: 1 }).results;
      if (last === undefined) return [];
      return [{ handset: population.nameOfHandset(channel), phone: population.phoneOfHandset(channel), last }];
    });
    return heads.toSorted((a, b) => newestFirst(a.last, b.last));
  }

  /**
   * The texts between a person and a handset as the person's phone shows them, and the way of the newest one that the
   * person sent.
   */
  personConversation(who: string, of: string, page: PageAsked): PersonConversation {
    const { phone } = this.#lookup.find(who);
    const channel = this.#lookup.channelOf(of);
    const ends: Ends = { channel, phone, ...this.#lookup.viewOf(channel) };
    const listed = this.#personTexts(ends, page);
    return { ...listed, way: page.behind === undefined ? this.#wayOf(ends, listed.results) : null };
  }

  #personTexts(ends: Ends, { behind, limit }: PageAsked): Listed<TextEntry> {
    const { rows, next } = this.#lookup.between(ends, { behind, limit });
    const reported = rows.flatMap((row) => personEntry(row, ends, this.#lookup.at) ?? []);
    const lost = this.#lostTexts(ends, { newest: behind, oldest: next === null ? undefined : rows.at(-1) });
    const under =
      behind === undefined ? [...this.#carriedEntries(ends), ...asSent(unsyncedEntries(ends, this.#lookup.at))] : [];
    return {
      results: [...under, ...lost, ...reported].toSorted(newestFirst),
      next: next === null ? null : String(next),
    };
  }

  /** A person's lost texts of a page: those after its oldest text and before the previous page. */
  #lostTexts(
    { channel, phone }: Ends,
    { newest, oldest }: { readonly newest: string | undefined; readonly oldest: StoredText | undefined },
  ): TextEntry[] {
    const { conversations } = this.#lookup.served;
    const id = idOf(newest);
    const afterMs = oldest === undefined ? -1 : (oldest.beganAtMs ?? oldest.createdAtMs);
    const untilMs = (id === undefined ? undefined : conversations.text(id)?.createdAtMs) ?? Number.MAX_SAFE_INTEGER;
    return conversations.losses
      .between({ channel, phone }, { afterMs, untilMs })
      .flatMap((loss) => lostEntry(loss, this.#lookup.at) ?? []);
  }

  personCalls(who: string, limit: number): CallEntry[] {
    const { phone } = this.#lookup.find(who);
    const { conversations } = this.#lookup.served;
    const contact = conversations.contactWith(telUrn(phone));
    const rows = contact === undefined ? [] : conversations.callsOfContact(contact.row, phone, limit);
    const lost = conversations.losses.page({ phone }, { size: LOSSES_READ }).filter(({ text }) => text === null);
    const calls = [...lost.map((loss) => this.#lostCall(loss)), ...this.#lookup.callEntries(rows)];
    return calls.toSorted(newestFirst).slice(0, limit);
  }

  /** People whose name, number or selector contains a text, in the order of the list of all people. */
  findPeople(asked: {
    readonly search: string;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Listed<FoundPerson> {
    const { world } = this.#lookup.served.lab;
    const { population } = world;
    const wanted = asked.search.trim().toLowerCase();
    const count = population.personCount + population.guests.length;
    const digits = wanted.replaceAll(/[\s()-]/g, "");
    // An exact match of a selector or number comes first, whatever its place in the list.
    const exact = this.#lookup.personNamed(wanted, digits);
    const results: FoundPerson[] = [];
    const after = idOf(asked.after);
    if (exact !== undefined && after === undefined) {
      results.push({ selector: exact.selector, phone: exact.phone, name: this.#lookup.nameOn(exact) });
    }
    const first = after ?? 0;
    const untilPlace = Math.min(count, first + SEARCHED_MAX);
    for (let place = first; place < untilPlace; place++) {
      if (results.length >= asked.limit) return { results, next: String(place) };
      const card = world.person(place);
      const { selector, phone } = card;
      if (place === exact?.person) continue;
      const name = this.#lookup.nameOn(card);
      const isFound =
        wanted === "" ||
        selector.toLowerCase().startsWith(wanted) ||
        phone.includes(digits) ||
        name?.toLowerCase().includes(wanted) === true;
      if (isFound) results.push({ selector, phone, name });
    }
    return { results, next: untilPlace < count ? String(untilPlace) : null };
  }

  /** Texts from this person to this handset that the carrier has not delivered. */
  #carriedEntries({ channel, phone }: Ends): TextEntry[] {
    const carried = this.#lookup.served.lab.world.carriedTexts(channel);
    return carried.filter(({ from }) => from === phone).map((one) => carriedEntry(one, this.#lookup.at));
  }

  #wayOf(ends: Ends, entries: readonly TextEntry[]): TextWay | null {
    const entry = entries.find(({ from }) => from === "person");
    if (entry === undefined) return null;
    const text = entry.id === null ? undefined : this.#lookup.served.conversations.text(entry.id);
    if (text === undefined) return { entry, event: null, answers: [] };
    return { entry, event: this.#eventOf(text), answers: this.#answersTo(text, ends) };
  }

  #eventOf({ channel, event: number, createdAtMs, isPosted }: StoredText): TextWay["event"] {
    if (number === null) return null;
    const { lab, log } = this.#lookup.served;
    const attempts = log.attemptsOf({ channel, number });
    const last = attempts.at(-1);
    const reply = log.replyTo({ channel, number });
    const nowhere = isPosted === 0;
    return {
      id: `${channel}/${number}`,
      at: this.#lookup.at(createdAtMs),
      url: nowhere ? null : (last?.url ?? lab.gateway.channelState(channel).url),
      outcome: nowhere ? "nowhere" : (last?.outcome ?? "waiting"),
      tries: attempts.length,
      answered_at: last === undefined ? null : this.#lookup.at(last.effectAtMs),
      status: last?.status ?? null,
      error: last?.error ?? null,
      duration_ms: last === undefined ? null : Math.round(last.durationMs * 100) / 100,
      reply: reply === undefined ? null : { kind: reply.kind, reason: reply.reason },
    };
  }

  #answersTo(text: StoredText, ends: Ends): AnswerWay[] {
    return this.#lookup.served.conversations.answersSince(text, ANSWERS_SHOWN).map((row) => {
      const loss = row.heardAtMs === null ? this.#lookup.served.conversations.losses.ofMessage(row.id) : undefined;
      const entry = outgoingEntry(row, ends, this.#lookup.at);
      return {
        // After a reset the phone has lost the message, but the service offers it again.
        entry: loss === undefined || loss.cause === "reset" ? entry : { ...entry, state: "lost", note: loss.cause },
        origin: row.origin,
        created_at: this.#lookup.at(row.createdAtMs),
        sent_at: row.sentAtMs === null ? null : this.#lookup.at(row.sentAtMs),
        delivered_at: row.status === "D" ? this.#lookup.at(row.modifiedAtMs) : null,
        lost_at: loss === undefined ? null : this.#lookup.at(loss.atMs),
      };
    });
  }

  #lostCall({ phone, atMs, cause }: StoredLoss): CallEntry {
    const { name } = this.#lookup.nameOf(phone);
    return { id: null, phone, name, type: "lost", at: this.#lookup.at(atMs), duration_s: 0, state: "lost", cause };
  }
}
