import { parseFieldValue } from "../contact/field-value.js";
import type { SessionContact } from "../contact-state.js";
import { answerCalls, interruptSession, resumeSession, startSession } from "../engine/sessions.js";
import type { Host, HttpAnswer, HttpCall, OrgEnvironment } from "../host.js";
import type { Session, Sprint } from "../session.js";
import { RunEnvironment } from "../engine/run-environment.js";
import { recordsIn, textIn } from "../read/json-object.js";
import { chooseTrigger, type TriggerRule } from "../triggers.js";
import type { IncomingMessage, Resume } from "../trigger.js";
import type { ExportFlows } from "../walk/export-flows.js";
import { type WalkAssets, walkAssets } from "../walk/walk-assets.js";
import { linesOf, type TalkLine } from "./talk-line.js";

/** The flows of an export as a conversation meets them. */
export interface TalkAccount {
  readonly flows: ExportFlows["flows"];
  readonly assets: WalkAssets;
  readonly triggers: readonly TalkTrigger[];
}

/** A trigger of an export. */
export interface TalkTrigger extends TriggerRule<string> {
  /** UUID. */
  readonly flow: string;
}

/** The flows, fields, groups and triggers of an export. What it lacks is created, as `walkAssets` says. */
export function talkAccount({ flows, json }: Pick<ExportFlows, "flows" | "json">): TalkAccount {
  const references = (value: unknown): string[] => recordsIn(value).map(({ uuid }) => textIn(uuid));
  return {
    flows,
    assets: walkAssets(flows, json),
    triggers: recordsIn(json["triggers"]).map((trigger) => ({
      type: textIn(trigger["trigger_type"]),
      keyword: textIn(trigger["keyword"]) || null,
      matchType: trigger["match_type"] === "O" ? "O" : "F",
      channel: null,
      groups: references(trigger["groups"]),
      excludeGroups: references(trigger["exclude_groups"]),
      flow: textIn(recordsIn([trigger["flow"]])[0]?.["uuid"]),
    })),
  };
}

/** Settings of an account that is loaded from an export alone. */
export const exportEnvironment: OrgEnvironment = {
  timezone: "UTC",
  dateFormat: "DD-MM-YYYY",
  timeFormat: "tt:mm",
  allowedLanguages: [],
  allowsAnyLanguage: true,
};

/** The contact of a conversation, unless one is given. */
export function talkContact(createdAtMs: number): SessionContact {
  return {
    uuid: "00000000-0000-4000-8000-000000000002",
    id: 1,
    name: "Ann Uwase",
    language: "",
    timezone: "",
    status: "active",
    createdAtMs,
    urns: ["tel:+250788123123"],
    groups: [],
    fields: {},
  };
}

/** What a conversation depends on, besides what is said in it. */
export interface TalkOptions {
  readonly account: TalkAccount;
  readonly contact: SessionContact;
  /** Milliseconds since 1970. */
  readonly startsAtMs: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Answers HTTP calls. Default: 200 and `{}`. */
  readonly http?: (call: HttpCall) => HttpAnswer;
}

/** Most sessions, timeouts and expiries that one advance of the clock plays. */
const ADVANCES_MAX = 1000;

/**
 * A conversation of one contact with the flows of an account, on a virtual clock. Each act returns its lines. Nothing
 * leaves the process.
 */
export class Talk {
  readonly #options: TalkOptions;
  readonly #host: Host;
  #atMs: number;
  #contact: SessionContact;
  #session: Session | undefined;

  constructor(options: TalkOptions) {
    const { account, startsAtMs, random, uuid } = options;
    this.#options = options;
    this.#atMs = startsAtMs;
    this.#contact = options.contact;
    this.#host = {
      environment: exportEnvironment,
      assets: account.assets,
      now: () => this.#atMs,
      random,
      uuid,
    };
  }

  get host(): Host {
    return this.#host;
  }

  get startsAtMs(): number {
    return this.#options.startsAtMs;
  }

  get atMs(): number {
    return this.#atMs;
  }

  get contact(): SessionContact {
    return this.#contact;
  }

  /** A copy that continues on its own. */
  fork(): Talk {
    const copy = new Talk(this.#options);
    copy.#atMs = this.#atMs;
    copy.#contact = this.#contact;
    copy.#session = this.#session;
    return copy;
  }

  /** The session that waits; undefined: none does. */
  get waiting(): Session | undefined {
    return this.#session?.status === "waiting" ? this.#session : undefined;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** The seconds after which the wait times out; undefined: it does not. */
  get timeoutSeconds(): number | undefined {
    return this.waiting?.wait?.timeoutSeconds;
  }

  /** Starts a flow by hand. A waiting session is interrupted. */
  start(flow: { readonly uuid: string; readonly name: string }): readonly TalkLine[] {
    return this.#begin({ type: "manual", flow });
  }

  /** The contact texts: the waiting session, or a trigger, gets the text. */
  say(message: Pick<IncomingMessage, "text" | "attachments">): readonly TalkLine[] {
    const msg: IncomingMessage = { ...message, urn: this.#contact.urns[0] };
    const { account } = this.#options;
    const groups = new Set(this.#contact.groups.map(({ uuid }) => uuid));
    const choose = (type: string): TalkTrigger | undefined => {
      const chosen = chooseTrigger(account.triggers, { type, text: message.text, channel: null, groups });
      return chosen !== undefined && account.assets.flow(chosen.flow) !== undefined ? chosen : undefined;
    };
    const keyword = choose("K");
    const { waiting } = this;
    if (keyword === undefined && waiting !== undefined) {
      return this.#resume(waiting, { type: "msg", resumedAtMs: this.#atMs, msg });
    }
    const trigger = keyword ?? choose("C");
    const word = keyword?.keyword ?? null;
    const flow = account.assets.flow(trigger?.flow ?? "");
    if (flow === undefined) return [{ kind: "contact", text: message.text }, { kind: "unheard" }];
    return this.#begin({
      type: "msg",
      flow: { uuid: flow.uuid, name: flow.name },
      msg,
      ...(word !== null && {
        keyword: { type: keyword?.matchType === "O" ? ("only_word" as const) : ("first_word" as const), keyword: word },
      }),
    });
  }

  /** Advances the clock to the timeout of the wait. @returns nothing when the wait has none */
  timeout(): readonly TalkLine[] {
    const at = this.waiting?.wait?.timeoutAtMs;
    return at === undefined ? [] : this.advanceTo(Math.max(at, this.#atMs));
  }

  /** Advances the clock to the expiry of the wait. Its timeout does not happen. */
  expire(): readonly TalkLine[] {
    const { waiting } = this;
    if (waiting?.wait === undefined) return [];
    this.#atMs = Math.max(waiting.wait.expiresAtMs, this.#atMs);
    return this.#resume(waiting, { type: "wait_expiration", resumedAtMs: this.#atMs });
  }

  /** Advances the clock. Timeouts and expiries on the way happen. */
  advanceTo(atMs: number): readonly TalkLine[] {
    const lines: TalkLine[] = [];
    for (let count = 0; count < ADVANCES_MAX; count++) {
      const { waiting } = this;
      const { timeoutAtMs = Infinity, expiresAtMs = Infinity } = waiting?.wait ?? {};
      const next = Math.min(timeoutAtMs, expiresAtMs);
      if (waiting === undefined || next > atMs) break;
      this.#atMs = Math.max(this.#atMs, next);
      const type = timeoutAtMs <= expiresAtMs ? "wait_timeout" : "wait_expiration";
      lines.push(...this.#resume(waiting, { type, resumedAtMs: this.#atMs }));
    }
    this.#atMs = Math.max(this.#atMs, atMs);
    return lines;
  }

  /** Sets or clears a field of the contact. */
  setField(key: string, text: string): void {
    const { assets } = this.#options.account;
    const field = assets.field(key) ?? { key, name: key, type: "text" as const };
    const { [key]: _, ...others } = this.#contact.fields;
    const environment = new RunEnvironment(this.#host, this.#contact);
    const value = parseFieldValue(text, field, { environment, assets, contact: this.#contact });
    this.#contact = { ...this.#contact, fields: text === "" ? others : { ...others, [key]: value } };
  }

  #begin(trigger: Pick<Parameters<typeof startSession>[2], "type" | "flow" | "msg" | "keyword">): readonly TalkLine[] {
    if (this.waiting !== undefined) this.#session = interruptSession(this.waiting, this.#atMs);
    const started: TalkLine = { kind: "flow", name: trigger.flow.name };
    return [
      started,
      ...this.#settle(startSession(this.#host, this.#contact, { ...trigger, triggeredAtMs: this.#atMs })),
    ];
  }

  #resume(waiting: Session, resume: Resume): readonly TalkLine[] {
    return this.#settle(resumeSession(this.#host, waiting, this.#contact, resume));
  }

  /** Answers the calls of a sprint, and those that follow. */
  #settle(first: Sprint): readonly TalkLine[] {
    const { account, http = () => ({ status: 200, body: "{}" }) } = this.#options;
    const lines = [...linesOf(first, account.assets)];
    let sprint = first;
    while (sprint.calls !== undefined) {
      sprint = answerCalls(this.#host, sprint.session, sprint.contact, sprint.calls.map(http));
      lines.push(...linesOf(sprint, account.assets));
    }
    this.#session = sprint.session;
    this.#contact = sprint.contact;
    const { status, runs } = sprint.session;
    if (status === "waiting") return lines;
    const how = status === "failed" ? "failed" : runs[0]?.status === "expired" ? "expired" : "completed";
    return [...lines, { kind: "end", how }];
  }
}
