import type { Account } from "../../account/index.js";
import { sampleWhole, type Stream } from "../../sim/index.js";
import { type AnswerHabit, type AnswerKind, answerKinds, type PlannedText, type World } from "../../world/index.js";

/** A person's decision about one question. */
interface Decision {
  /** The session and wait that ask the question. */
  readonly question: string;
  /** The planned answer; undefined when the person stays silent. */
  readonly answer: Omit<Parameters<World["planText"]>[0], "person" | "channel"> | undefined;
  planned: PlannedText | undefined;
}

/**
 * People answer the questions of flows: each question once, after the last of its texts. All random draws come from
 * the person's own stream. The answer's text is chosen at the first text of the question, so a late answer does not
 * depend on what came meanwhile.
 */
export class FlowAnswers {
  readonly #sessions: Pick<Account["flowSessions"], "waitOf" | "questionOf">;
  readonly #contacts: Pick<Account["contacts"], "findByPhone">;
  readonly #world: World;
  /** By person: the decision about the latest question. */
  readonly #decisions = new Map<number, Decision>();

  constructor(parts: { readonly account: Pick<Account, "flowSessions" | "contacts">; readonly world: World }) {
    this.#sessions = parts.account.flowSessions;
    this.#contacts = parts.account.contacts;
    this.#world = parts.world;
  }

  /**
   * Handles a text that a person has heard through a channel.
   * @returns whether it belongs to a question that this person answers
   */
  hear(person: number, channel: number): boolean {
    const { population } = this.#world;
    const habit = population.groupOfPerson(person)?.answers;
    if (habit === undefined) return false;
    const contact = this.#contacts.findByPhone(population.phoneOfPerson(person));
    const wait = contact && this.#sessions.waitOf(contact.row);
    if (contact === undefined || wait === undefined || !answersFlow(habit, wait.flow)) return false;
    const question = `${wait.session.uuid} ${wait.session.resumes}`;
    let decision = this.#decisions.get(person);
    if (decision?.question !== question) {
      const stream = this.#world.streamOfPerson(person);
      decision = { question, answer: this.#decide(habit, contact.row, stream), planned: undefined };
      this.#decisions.set(person, decision);
    }
    this.#plan(decision, person, channel);
    return true;
  }

  /** Plans the answer, or moves it to count from now if it has not been sent. */
  #plan(decision: Decision, person: number, channel: number): void {
    const { answer, planned } = decision;
    if (answer === undefined || planned?.isOver === true) return;
    planned?.cancel();
    decision.planned = this.#world.planText({ person, channel, ...answer });
  }

  #decide(habit: AnswerHabit, contact: number, stream: Stream): Decision["answer"] {
    const kind = drawKind(habit.shares, stream);
    if (kind === "silent") return undefined;
    const afterMs = sampleWhole(kind === "late" ? habit.lateAfter : habit.after, stream);
    const text = kind === "stop" ? "STOP" : this.#textFor(kind, contact, stream);
    return text === undefined ? undefined : { text, afterMs, isAwaited: kind !== "late" };
  }

  /** A right or wrong text; if the question has no such text, the other kind. */
  #textFor(kind: "right" | "wrong" | "late", contact: number, stream: Stream): string | undefined {
    const question = this.#sessions.questionOf(contact, () => stream.next());
    const right = (): string | undefined => question?.rightAnswer()?.text;
    const wrong = (): string | undefined => question?.wrongAnswer()?.text;
    return kind === "wrong" ? (wrong() ?? right()) : (right() ?? wrong());
  }
}

function answersFlow({ flows }: AnswerHabit, flow: { readonly uuid: string; readonly name: string }): boolean {
  return flows === undefined || flows.includes(flow.uuid) || flows.includes(flow.name.toLowerCase());
}

function drawKind(shares: AnswerHabit["shares"], stream: Stream): AnswerKind {
  let left = stream.next();
  for (const kind of answerKinds) {
    left -= shares[kind];
    if (left < 0) return kind;
  }
  return "right";
}
