import type { Channels, HandledText } from "../../gateway/index.js";
import {
  answerCalls,
  type SessionContact,
  type Host,
  type HttpAnswer,
  type HttpCall,
  interruptSession,
  questionOf,
  type Resume,
  resumeSession,
  type Session,
  type Sprint,
  startSession,
  type Trigger,
  type WaitingQuestion,
} from "../../flow/index.js";
import type { Kernel, Stream, Streams } from "../../sim/index.js";
import type { Backlog } from "../backlog.js";
import type { FlowCalls } from "../flow-calls.js";
import type { FlowRow } from "../flows.js";
import type { IdUuids } from "../id-uuids.js";
import type { Organisation } from "../organisation.js";
import type { Routing } from "../routing.js";
import type { AccountTables } from "../tables/account-tables.js";
import type { ContactRow } from "../tables/contact-table.js";
import type { Workload } from "../workload.js";
import type { ContactStates } from "./contact-states.js";
import type { FlowAssets } from "./flow-assets.js";
import type { FlowDefinitions } from "./flow-definitions.js";
import type { FlowNotes } from "./flow-notes.js";
import { httpAnswer } from "./http-answer.js";
import { orgEnvironment } from "./org-environment.js";
import { type OpenSession, type StoredState, storedState } from "./open-session.js";
import { runRow } from "./run-rows.js";
import type { SessionOrder } from "./session-order.js";
import type { SprintEffects } from "./sprint-effects.js";

/** Placeholder for the session of a contact whose first sprint is running. */
const noSession: Session = {
  uuid: "",
  type: "messaging",
  status: "active",
  trigger: { type: "manual", flow: { uuid: "", name: "" }, triggeredAtMs: 0 },
  createdAtMs: 0,
  runs: [],
  currentRun: 0,
  resumes: 0,
};

/** The parts of the account that sessions need. */
export interface FlowSessionsOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly tables: AccountTables;
  readonly channels: Channels;
  readonly routing: Routing;
  readonly organisation: Organisation;
  readonly messageUuids: IdUuids;
  readonly calls: FlowCalls;
  readonly assets: FlowAssets;
  readonly definitions: FlowDefinitions;
  readonly contactStates: ContactStates;
  readonly effects: SprintEffects;
  readonly notes: FlowNotes;
  readonly workload: Workload;
  readonly backlog: Pick<Backlog, "add">;
  /** Handles a text that came during an HTTP call after which the session ended. */
  readonly textLeft: (text: HandledText) => void;
}

/**
 * Sessions of contacts in flows: starts and continues them, applies their effects, keeps their timers, and stores
 * them. A contact is in at most one session besides background flows, which never wait for the contact.
 */
export class FlowSessions {
  readonly #options: FlowSessionsOptions;
  /** By row of the contact; without background flows. */
  readonly #live = new Map<number, OpenSession>();
  /** Background flows that wait for the answer to an HTTP call. */
  readonly #background = new Set<OpenSession>();

  constructor(options: FlowSessionsOptions) {
    this.#options = options;
  }

  /** Continues the sessions that had not ended when the database was closed: HTTP calls without an answer are repeated. */
  continueRecorded(): void {
    for (const row of this.#options.tables.flowSessions.all()) {
      const live: OpenSession = {
        ...(row.state as StoredState),
        id: row.id,
        contact: row.contact,
        timer: undefined,
        savedRuns: [],
      };
      this.#keep(live);
      if (live.session.pending !== undefined) this.#makeCalls(live, live.session.pending.calls, { isRepeated: true });
      else this.#setTimer(live);
    }
  }

  /** Number of sessions that have not ended. */
  get count(): number {
    return this.#live.size + this.#background.size;
  }

  /** Whether the contact is in a flow. */
  isInFlow(contact: number): boolean {
    return this.#live.has(contact);
  }

  /**
   * The session that waits for a text of the contact, or for an HTTP call before such a wait; undefined when there is
   * none.
   */
  sessionOf(contact: number): Session | undefined {
    return this.#live.get(contact)?.session;
  }

  /** The flow and the session that wait for a text of the contact; undefined when none does. */
  waitOf(contact: number): { readonly flow: FlowRow; readonly session: Session } | undefined {
    const session = this.#live.get(contact)?.session;
    if (session?.status !== "waiting") return undefined;
    const flow = this.flowOf(session);
    return flow && { flow, session };
  }

  /**
   * The question that a contact is asked, with texts that answer it; undefined when no session waits for a text of the
   * contact.
   *
   * @param random - returns a random number for the choice of texts: at least 0, less than 1
   */
  questionOf(contact: number, random: () => number): WaitingQuestion | undefined {
    const live = this.#live.get(contact);
    const row = live && this.#contactOf(live);
    if (live === undefined || row === undefined) return undefined;
    return questionOf(this.#hostFor(live, row), live.session, this.#stateOf(row, live), { random });
  }

  /** The flow of the run that waits or calls. */
  flowOf(session: Session): FlowRow | undefined {
    const uuid = session.runs[session.currentRun]?.flow.uuid;
    return uuid === undefined ? undefined : this.#options.tables.flows.byUuid(uuid);
  }

  /**
   * Starts a flow for a contact and plays it to its first wait.
   *
   * @returns false when the flow cannot run; the log says why
   */
  start(contact: ContactRow, flow: FlowRow, order: SessionOrder): boolean {
    const { tables, definitions, kernel, notes } = this.#options;
    const definition = definitions.of(flow)?.definition;
    if (definition === undefined) return false;
    if (definition.type === "voice") {
      notes.note(
        "flow-not-started",
        `flow '${flow.name}' is not started: handsets do not run voice flows`,
        contact.row,
      );
      return false;
    }
    // Not a failure: nothing happens (docs/reference/flows.md#flow-starts).
    if (definition.nodes.length === 0) return true;
    const isBackground = definition.type === "messaging_background";
    if (order.interrupts ?? !isBackground) this.interrupt(contact.row);
    else if (!isBackground && this.isInFlow(contact.row)) return false;
    const { message } = order;
    const live: OpenSession = {
      id: tables.flowSessions.nextId(),
      contact: contact.row,
      session: noSession,
      runIds: [],
      start: order.start ?? null,
      embeddedData: order.embeddedData ?? null,
      channel: message?.channel ?? order.channel ?? null,
      messageRow: message?.row ?? null,
      sprintCount: 0,
      texts: [],
      timer: undefined,
      savedRuns: [],
    };
    const trigger: Trigger = {
      ...order.cause,
      flow: { uuid: flow.uuid, name: flow.name },
      triggeredAtMs: this.#epochMs(kernel.now),
      ...(live.embeddedData !== null && { embed: live.embeddedData }),
      msg: message && this.#incoming(message),
    };
    const host = this.#hostFor(live, contact);
    this.#applySprint(live, contact, startSession(host, this.#stateOf(contact, live), trigger));
    return true;
  }

  /**
   * Continues the session of a contact with a text. A session that waits for an HTTP call gets the text after the
   * call.
   */
  resume(contact: number, message: HandledText): void {
    const live = this.#live.get(contact);
    if (live === undefined) return;
    live.channel = message.channel;
    if (live.session.status === "calling") {
      const { id, row, text, phone, channel } = message;
      live.texts.push({ id, row, text, phone, channel });
      this.#save(live);
      return;
    }
    live.messageRow = message.row;
    this.#resume(live, { type: "msg", resumedAtMs: this.#epochMs(), msg: this.#incoming(message) });
  }

  /** Interrupts the contact's session; runs of earlier recordings that still wait end, too. */
  interrupt(contact: number): void {
    const { tables, kernel } = this.#options;
    const live = this.#live.get(contact);
    if (live !== undefined) {
      live.session = interruptSession(live.session, this.#epochMs());
      this.#saveRuns(live);
      this.#end(live);
    }
    tables.runs.interruptActiveOf(contact, kernel.now);
  }

  /** Drops the sessions of a contact who was deleted, without a record. */
  forget(contact: number): void {
    const live = this.#live.get(contact);
    if (live !== undefined) this.#end(live);
  }

  /** @param live - the session must not be waiting for an HTTP call */
  #resume(live: OpenSession, resume: Resume): void {
    const contact = this.#contactOf(live);
    if (contact === undefined) return this.#end(live);
    const host = this.#hostFor(live, contact);
    this.#applySprint(live, contact, resumeSession(host, live.session, this.#stateOf(contact, live), resume));
  }

  #contactOf({ contact }: OpenSession): ContactRow | undefined {
    const row = this.#options.tables.contacts.get(contact);
    return row?.state === "deleted" ? undefined : row;
  }

  #stateOf(contact: ContactRow, { channel }: OpenSession): SessionContact {
    const { contactStates, routing } = this.#options;
    return contactStates.stateOf(contact, channel ?? routing.routeTo(contact)?.channel.spec.id);
  }

  #applySprint(live: OpenSession, contact: ContactRow, sprint: Sprint): void {
    live.session = sprint.session;
    this.#options.workload.add(sprint.work);
    this.#saveRuns(live);
    this.#options.effects.apply(sprint, { live, contact });
    if (live.session.status === "calling" || live.session.status === "waiting") this.#keep(live);
    if (sprint.calls !== undefined) this.#makeCalls(live, sprint.calls, { isRepeated: false });
    else if (live.session.status === "waiting") this.#setTimer(live);
    else return this.#end(live);
    this.#save(live);
  }

  #keep(live: OpenSession): void {
    if (live.session.type === "messaging_background") this.#background.add(live);
    else this.#live.set(live.contact, live);
  }

  #isKept(live: OpenSession): boolean {
    return this.#live.get(live.contact) === live || this.#background.has(live);
  }

  #end(live: OpenSession): void {
    const { kernel, tables } = this.#options;
    if (live.timer !== undefined) kernel.cancel(live.timer);
    live.timer = undefined;
    if (!this.#isKept(live)) return;
    this.#background.delete(live);
    if (this.#live.get(live.contact) === live) this.#live.delete(live.contact);
    tables.flowSessions.remove(live.id);
  }

  #save(live: OpenSession): void {
    this.#options.tables.flowSessions.put({ id: live.id, contact: live.contact, state: storedState(live) });
  }

  /** Writes the runs that have changed since the last call. */
  #saveRuns(live: OpenSession): void {
    const { tables, startsAtMs } = this.#options;
    live.session.runs.forEach((run, index) => {
      const version = `${run.status} ${run.modifiedAtMs} ${run.path.length} ${run.answers.length}`;
      if (live.savedRuns[index] === version) return;
      live.savedRuns[index] = version;
      const flow = tables.flows.byUuid(run.flow.uuid);
      if (flow === undefined) return;
      const id = (live.runIds[index] ??= tables.runs.nextId());
      const { contact, start, embeddedData } = live;
      tables.runs.putStep({ id, contact }, () =>
        runRow(run, { id, flow: flow.id, contact, start, embeddedData, startsAtMs }),
      );
    });
  }

  #setTimer(live: OpenSession): void {
    const { kernel, startsAtMs } = this.#options;
    if (live.timer !== undefined) kernel.cancel(live.timer);
    live.timer = undefined;
    const { wait } = live.session;
    if (wait === undefined) return;
    const dueMs = Math.ceil(Math.min(wait.expiresAtMs, wait.timeoutAtMs ?? Infinity)) - startsAtMs;
    live.timer = kernel.at(Math.max(dueMs, kernel.now), this.#endWait, live);
  }

  readonly #endWait = (live: OpenSession): void => {
    live.timer = undefined;
    const { wait, status } = live.session;
    if (status !== "waiting" || wait === undefined) return;
    const resumedAtMs = this.#epochMs();
    const isTimeout = wait.timeoutAtMs !== undefined && wait.timeoutAtMs <= Math.min(resumedAtMs, wait.expiresAtMs);
    live.messageRow = null;
    this.#resume(live, { type: isTimeout ? "wait_timeout" : "wait_expiration", resumedAtMs });
    if (live.session.wait !== wait) return;
    // The runner refused to end the wait, which would therefore be due again immediately.
    this.#options.notes.note(
      "flow-error",
      `flow '${this.flowOf(live.session)?.name ?? ""}' cannot end a wait: interrupted`,
      live.contact,
    );
    this.interrupt(live.contact);
  };

  /**
   * Posts the `flow` event of the node, then makes its calls. The session continues when all are answered. Repeated
   * calls post no event again.
   */
  #makeCalls(live: OpenSession, calls: readonly HttpCall[], { isRepeated }: { readonly isRepeated: boolean }): void {
    const { session } = live;
    const run = session.runs[session.currentRun];
    const node = run?.path.at(-1)?.node ?? "";
    const flow = this.flowOf(session);
    if (run === undefined || flow === undefined) return;
    if (!isRepeated) this.#options.effects.emitFlowEvent(live, { run, node, flow });
    const answers: HttpAnswer[] = [];
    let open = calls.length;
    const origin = { contact: live.contact, run: run.uuid, flow: flow.id, node };
    for (const [index, { method, url, headers, body }] of calls.entries()) {
      this.#options.calls.make({ origin, method, url, headers, body }, (answer) => {
        answers[index] = httpAnswer(answer);
        if (--open === 0) this.#answer(live, answers);
      });
    }
  }

  #answer(live: OpenSession, answers: readonly HttpAnswer[]): void {
    if (!this.#isKept(live)) return;
    const contact = this.#contactOf(live);
    if (contact === undefined) return this.#end(live);
    const host = this.#hostFor(live, contact);
    this.#applySprint(live, contact, answerCalls(host, live.session, this.#stateOf(contact, live), answers));
    this.#resumeWithTexts(live);
  }

  /**
   * Continues the session with the texts that came during an HTTP call, one for each question. Texts that remain when
   * the session ends may start another flow.
   */
  #resumeWithTexts(live: OpenSession): void {
    const { workload, backlog } = this.#options;
    while (live.session.status === "waiting") {
      if (workload.isStepFull) return live.texts.splice(0).forEach((text) => backlog.add({ kind: "text", text }));
      const text = live.texts.shift();
      if (text === undefined) return;
      live.channel = text.channel;
      live.messageRow = text.row;
      this.#resume(live, { type: "msg", resumedAtMs: this.#epochMs(), msg: this.#incoming(text) });
    }
    if (live.session.status === "calling") return;
    for (const text of live.texts.splice(0)) this.#options.textLeft(text);
  }

  #hostFor(live: OpenSession, { uuid }: ContactRow): Host {
    const { streams, assets, organisation } = this.#options;
    const sprint = ++live.sprintCount;
    let stream: Stream | undefined;
    const draws = (): Stream => (stream ??= streams.get(`session/${live.id}/${uuid}/${sprint}`));
    return {
      environment: orgEnvironment(organisation.get()),
      assets,
      now: () => this.#epochMs(),
      random: () => draws().next(),
      uuid: () => draws().uuid(),
    };
  }

  #incoming({ id, text, phone, channel }: Omit<HandledText, "row">): NonNullable<Trigger["msg"]> {
    const { channels, messageUuids } = this.#options;
    const { uuid, spec } = channels.get(channel);
    const { name } = spec;
    return { uuid: messageUuids.of(id), id, text, urn: `tel:${phone}`, channel: { uuid, name } };
  }

  #epochMs(atMs = this.#options.kernel.now): number {
    return this.#options.startsAtMs + atMs;
  }
}
