import { troubleOfCode } from "../../measure/index.js";
import { formField, handsetOf, parseForm, readReply, type Reply, subjectOf } from "../../wire/index.js";
import { compare } from "../compare.js";
import { type AnswerTerm, type FailureCondition, isAboutAnswer } from "./failure-condition.js";
import { normalisedAnswer } from "./fingerprint.js";

/** What a receiver answered to one request. */
export interface WatchedAnswer {
  /** Null: there was no complete answer. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: string | null;
  readonly body: string;
}

/** A request that is answered. */
export interface WatchedRequest {
  readonly type: string;
  readonly body: string;
}

/** A failure at one event. */
export interface Failure {
  /** Condition, type of the event, status, effect and the answer without ids, numbers and times. */
  readonly fingerprint: string;
}

/** Error codes of a receiver that was not there. */
const away: ReadonlySet<string | null> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "bad-url",
  "host-not-allowed",
]);

/** Whether an error means that nothing listens, so the answer says nothing about the receiver's behaviour. */
export function isAway(error: string | null): boolean {
  return away.has(error);
}

/**
 * Watches the answers of one play for a failure. Only terms about answers are judged; a condition without any has no
 * failure here.
 */
export class FailureWatch {
  readonly #condition: FailureCondition;
  readonly #terms: readonly AnswerTerm[];
  readonly #replyToSender: boolean;
  /** Whom answers asked to be written to, by the event; kept for `hears-twice` only. */
  readonly #told: Map<string, Set<string>> | undefined;

  constructor(condition: FailureCondition, options: { readonly replyToSender?: boolean } = {}) {
    this.#condition = condition;
    this.#terms = condition.terms.filter(isAboutAnswer);
    this.#replyToSender = options.replyToSender ?? true;
    if (this.#terms.some(({ kind }) => kind === "hears-twice")) this.#told = new Map();
  }

  /** Judges one answer. Call it for each, in the order of the requests. */
  observe(request: WatchedRequest, answer: WatchedAnswer): Failure | undefined {
    const heardTwice = this.#told !== undefined && this.#hearTwice(request, answer, this.#told);
    if (this.#terms.length === 0) return undefined;
    if (this.#condition.type !== undefined && request.type !== this.#condition.type) return undefined;
    if (!this.#terms.every((term) => this.#holds(term, answer, heardTwice))) return undefined;
    return { fingerprint: this.#fingerprint(request, answer) };
  }

  #holds(term: AnswerTerm, { status, error, body }: WatchedAnswer, heardTwice: boolean): boolean {
    switch (term.kind) {
      case "status":
        return status !== null && compare(status, term.op, term.status);
      case "timeout":
        return error === "ETIMEDOUT";
      case "closed":
        return status === null && error !== "ETIMEDOUT" && !isAway(error) && troubleOfCode(error) === undefined;
      case "reply":
        return status !== null && term.matches(this.#replyOf(body)?.text ?? body);
      case "no-reply":
        return status !== null && status >= 200 && status < 300 && this.#replyOf(body) === undefined;
      case "hears-twice":
        return heardTwice;
      default:
        return term satisfies never;
    }
  }

  #fingerprint({ type, body: event }: WatchedRequest, { status, error, body }: WatchedAnswer): string {
    const kinds = new Set(this.#terms.map(({ kind }) => kind));
    const reply = status === null ? undefined : this.#replyOf(body);
    const effect = status === null ? (error ?? "no answer") : reply === undefined ? "no reply" : "reply";
    // Which words a second message has says nothing; of a reply that matches a pattern, the pattern is what counts.
    const isByAnswer = status !== null && !kinds.has("hears-twice") && !kinds.has("reply");
    const answer = isByAnswer ? normalisedAnswer(reply?.text ?? body, event) : "";
    return [this.#condition.text, type, status ?? "-", effect, answer].join(" | ").trimEnd();
  }

  #replyOf(body: string): Reply | undefined {
    if (body === "" || body === "{}") return undefined;
    const reading = readReply(body, { replyToSender: this.#replyToSender });
    return reading.kind === "reply" ? reading.reply : undefined;
  }

  /** Notes whom an answer tells; whether somebody got a message about the same event before. */
  #hearTwice({ type, body }: WatchedRequest, answer: WatchedAnswer, told: Map<string, Set<string>>): boolean {
    if (answer.status === null || answer.status < 200 || answer.status > 299) return false;
    const reply = this.#replyOf(answer.body);
    if (reply === undefined) return false;
    const sender = formField(body, "phone");
    const named = [...reply.urns, ...reply.contacts];
    const people = named.length > 0 ? named : sender === undefined ? [] : [`tel:${sender}`];
    let isTwice = false;
    for (const key of namesOfEvent(type, body)) {
      const before = told.get(key) ?? new Set();
      told.set(key, before);
      isTwice ||= people.some((person) => before.has(person));
      for (const person of people) before.add(person);
    }
    return isTwice;
  }
}

/**
 * What tells that two requests are about one event: the same body; the same number, person and words; or the same person, words
 * and time of the phone, which a phone reports again under another number.
 */
export function namesOfEvent(type: string, body: string): string[] {
  const fields = new Map(parseForm(body));
  const handset = handsetOf(body) ?? "";
  const id = subjectOf(body);
  const [phone, text, time] = [fields.get("phone"), fields.get("text"), fields.get("time")];
  return [
    `body ${body}`,
    ...(id === undefined || type === "" ? [] : [`id ${type} ${handset} ${id} ${phone ?? ""} ${text ?? ""}`]),
    ...(phone === undefined || time === undefined ? [] : [`copy ${type} ${phone} ${time} ${text ?? ""}`]),
  ];
}
