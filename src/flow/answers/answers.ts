import type { SessionContact } from "../contact-state.js";
import type { FlowCategory, FlowNode, FlowRouter } from "../definition.js";
import { categoryOf } from "../engine/route.js";
import { RunningSprint } from "../engine/running-sprint.js";
import { copyOf } from "../engine/sessions.js";
import type { Host } from "../host.js";
import type { Session } from "../session.js";
import { nonsense, textsFor } from "./test-texts.js";

/** A message that a person may answer with. */
export interface ProposedAnswer {
  readonly text: string;
  /** As `type/subtype:url`, where the wait asks for a file. */
  readonly attachments?: readonly string[];
}

/** Inputs of the answers besides the session. */
export interface AnswerOptions {
  /**
   * Returns at least 0, less than 1. The host's random numbers are not used, so an answer does not change any session.
   */
  readonly random: () => number;
  /** Names of places that people may write. */
  readonly places?: readonly string[];
}

/**
 * The answers that a waiting session can get. Each one was routed by the engine, so it is known to reach its category.
 */
export class WaitingQuestion {
  /** Categories that an answer can reach: all except those used only by the timeout. */
  readonly categories: readonly FlowCategory[];
  /** Uuid of the category without a case; undefined: each answer must match a case. */
  readonly otherCategory: string | undefined;
  readonly #sprint: RunningSprint;
  readonly #router: FlowRouter;
  readonly #options: AnswerOptions;

  /** @param node - where the session waits */
  constructor(host: Host, session: Session, contact: SessionContact, node: FlowNode, options: AnswerOptions) {
    const quiet: Host = { ...host, random: options.random, uuid: () => "" };
    this.#sprint = new RunningSprint(quiet, copyOf(session), contact);
    this.#router = node.router ?? { type: "random", resultName: "", categories: [] };
    this.#options = options;
    const router = this.#router;
    const cased = new Set(router.type === "switch" ? router.cases.map(({ category }) => category) : []);
    const isOther = (uuid: string): boolean => router.type === "switch" && uuid === router.defaultCategory;
    this.categories = router.categories.filter(({ uuid }) => cased.has(uuid) || isOther(uuid));
    this.otherCategory = this.categories.find(({ uuid }) => !cased.has(uuid))?.uuid;
  }

  /** A right answer: one that matches a case, or any answer if there are no cases. Undefined when none was found. */
  rightAnswer(): ProposedAnswer | undefined {
    const wanted = this.categories.filter(({ uuid }) => uuid !== this.otherCategory);
    if (wanted.length === 0) return this.answerOf("hello");
    const first = Math.floor(this.#options.random() * wanted.length);
    for (let index = 0; index < wanted.length; index++) {
      const category = wanted[(first + index) % wanted.length];
      const found = category === undefined ? undefined : this.answerReaching(category.uuid);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A wrong answer: one that matches no case. Undefined when every text that was tried matches a case. */
  wrongAnswer(): ProposedAnswer | undefined {
    const { otherCategory } = this;
    if (otherCategory === undefined) return undefined;
    const text = nonsense(this.#options).find((one) => this.categoryReachedBy(one) === otherCategory);
    return text === undefined ? undefined : { text };
  }

  /**
   * An answer that reaches a category; undefined when none was found.
   * @param category - uuid
   */
  answerReaching(category: string): ProposedAnswer | undefined {
    if (category === this.otherCategory) return this.wrongAnswer();
    const router = this.#router;
    if (router.type !== "switch") return this.answerOf("hello");
    for (const one of router.cases) {
      if (one.category !== category) continue;
      const { environment } = this.#sprint;
      const args = one.arguments.map((template) => this.#sprint.evaluateValue(template));
      const { random, places = [] } = this.#options;
      for (const text of textsFor({ random, places, environment, test: one.type, args })) {
        if (this.categoryReachedBy(text) === category) return this.answerOf(text);
      }
    }
    return undefined;
  }

  /** Categories that none of the found answers reaches, because their tests read something other than the answer. */
  unreachedCategories(): readonly FlowCategory[] {
    return this.categories.filter(({ uuid }) => this.answerReaching(uuid) === undefined);
  }

  /** Uuid of the category to which the router sends a text. */
  categoryReachedBy(text: string): string | undefined {
    const sprint = this.#sprint;
    sprint.session.input = { uuid: "", createdAtMs: sprint.host.now(), ...this.answerOf(text) };
    return categoryOf(sprint, this.#router);
  }

  /** An answer with this text, and with the file that the wait asks for. */
  answerOf(text: string): ProposedAnswer {
    const { wait } = this.#router;
    const file = wait?.type === "msg" ? files[wait.hint?.type ?? ""] : undefined;
    return file === undefined ? { text } : { text, attachments: [file] };
  }
}

const files: Readonly<Record<string, string>> = {
  image: "image/jpeg:https://example.org/photo.jpg",
  audio: "audio/mp3:https://example.org/voice.mp3",
  video: "video/mp4:https://example.org/clip.mp4",
  location: "geo:-1.9441,30.0619",
};

/** The question at which a session waits; undefined when it does not wait, or its node no longer exists. */
export function questionOf(
  host: Host,
  session: Session,
  contact: SessionContact,
  options: AnswerOptions,
): WaitingQuestion | undefined {
  const run = session.runs[session.currentRun];
  const flow = run === undefined ? undefined : host.assets.flow(run.flow.uuid);
  const node = flow?.nodesByUuid.get(run?.path.at(-1)?.node ?? "");
  if (session.status !== "waiting" || node === undefined) return undefined;
  return new WaitingQuestion(host, session, contact, node, options);
}
