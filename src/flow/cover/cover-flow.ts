import { WaitingQuestion } from "../answers/answers.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowDefinition, FlowNode } from "../definition.js";
import type { Session } from "../session.js";
import { type Talk, type TalkAccount } from "../talk/talk.js";
import type { TalkLine } from "../talk/talk-line.js";
import { playAct, type TalkAct, talkOf, type TalkScript } from "../talk/talk-script.js";
import { type Beginning, beginningsFor, laterKey, laterTexts } from "./beginnings.js";
import { partCount, ReachedParts } from "./reached.js";
import { type UnreachedPart, unreachedParts } from "./unreached.js";

/** A conversation that reaches something that no earlier one does. */
export interface CoverWalk {
  readonly script: TalkScript;
  readonly lines: readonly TalkLine[];
  readonly ended: "completed" | "waiting" | "expired" | "failed";
}

/** The conversations that reach all parts of a flow that can be reached. */
export interface FlowCover {
  readonly walks: readonly CoverWalk[];
  /** Nodes and categories. */
  readonly reached: number;
  readonly all: number;
  readonly unreached: readonly UnreachedPart[];
}

export interface CoverOptions {
  readonly account: TalkAccount;
  readonly contact: SessionContact;
  readonly startsAtMs: number;
  /** In [0, 1): for the texts of answers. */
  readonly random: () => number;
  /** Most acts of all conversations. */
  readonly actsMax: number;
}

/** How often each answer of a question is explored: what follows may depend on earlier answers. */
const REPEATS_MAX = 3;
/** Most beginnings of one flow. */
const BEGINNINGS_MAX = 40;
/** Most acts of one conversation. */
const DEPTH_MAX = 150;

/** Most acts that continue a conversation to its end. */
const LAST_ACTS_MAX = 15;

/** A message without a text. */
const photo = { text: "", attachments: ["image/jpeg:https://example.org/photo.jpg"] };

/** A conversation up to an act, in the tree of all that were explored. */
interface Branch {
  readonly talk: Talk;
  readonly act: TalkAct;
  readonly lines: readonly TalkLine[];
  readonly before: Branch | undefined;
  readonly depth: number;
  readonly beginning: Beginning;
  /** Whether it, or one after it, reached something new. */
  isNeeded: boolean;
  hasNeededNext: boolean;
}

/** Explores a flow: answers each question in each way, until all parts are reached or nothing new comes. */
export function coverFlow(flow: FlowDefinition, options: CoverOptions): FlowCover {
  const explorer = new Explorer(flow, options);
  const base: Beginning = { contact: options.contact, draw: 0, httpStatus: 200 };
  explorer.explore(base);
  const tried = new Set([JSON.stringify(base)]);
  for (let isNew = true; isNew && tried.size < BEGINNINGS_MAX;) {
    isNew = false;
    for (const node of flow.nodes) {
      for (const { uuid } of node.router?.categories ?? []) {
        if (explorer.reached.has(uuid)) continue;
        for (const beginning of beginningsFor(uuid, node, base, explorer.host)) {
          const mark = JSON.stringify(beginning);
          if (tried.has(mark) || tried.size >= BEGINNINGS_MAX || explorer.reached.has(uuid)) continue;
          tried.add(mark);
          if (explorer.explore(beginning)) isNew = true;
        }
      }
    }
  }
  return explorer.result();
}

class Explorer {
  readonly reached: ReachedParts;
  readonly #flow: FlowDefinition;
  readonly #options: CoverOptions;
  readonly #branches: Branch[] = [];
  readonly #talk: Talk;
  readonly #laterTexts: ReadonlyMap<string, readonly string[]>;
  #acts = 0;

  constructor(flow: FlowDefinition, options: CoverOptions) {
    this.#flow = flow;
    this.#options = options;
    this.reached = new ReachedParts(flow);
    this.#talk = talkOf(options, options.account);
    this.#laterTexts = laterTexts(flow, this.host, options.contact);
  }

  get host(): Talk["host"] {
    return this.#talk.host;
  }

  /** Explores all conversations with one beginning. @returns whether something new was reached */
  explore(beginning: Beginning): boolean {
    const { account, startsAtMs, actsMax } = this.#options;
    const before = this.reached.size;
    const repeats = new Map<string, number>();
    const talk = talkOf({ startsAtMs, ...beginning }, account);
    const first = this.#play(
      talk,
      { kind: "start", flow: this.#flow.uuid },
      { before: undefined, depth: 0, beginning },
    );
    // What reached something new is continued first.
    const queues: [Branch[], Branch[]] = [[first], []];
    for (let branch = next(queues); branch !== undefined; branch = next(queues)) {
      if (branch.depth >= DEPTH_MAX) continue;
      for (const { act, mark } of this.#choices(branch.talk)) {
        if (this.#acts >= actsMax || this.reached.size >= partCount(this.#flow)) return this.reached.size > before;
        const count = repeats.get(mark) ?? 0;
        if (count >= REPEATS_MAX) continue;
        repeats.set(mark, count + 1);
        const made = this.#play(branch.talk.fork(), act, { before: branch, depth: branch.depth + 1, beginning });
        if (made.talk.waiting !== undefined) queues[made.isNeeded ? 0 : 1].push(made);
      }
    }
    return this.reached.size > before;
  }

  result(): FlowCover {
    const ends = this.#branches
      .filter(({ isNeeded, hasNeededNext }) => isNeeded && !hasNeededNext)
      .map((branch) => this.#toTheEnd(branch));
    return {
      walks: ends.map((branch, index) => this.#walkTo(branch, index)),
      reached: this.reached.size,
      all: partCount(this.#flow),
      unreached: unreachedParts(this.#flow, this.reached, this.#acts >= this.#options.actsMax),
    };
  }

  #play(talk: Talk, act: TalkAct, place: Pick<Branch, "before" | "depth" | "beginning">): Branch {
    this.#acts++;
    const lines = playAct(talk, act, this.#options.account);
    const isNew = talk.session !== undefined && this.reached.add(talk.session);
    const branch: Branch = { talk, act, lines, ...place, isNeeded: isNew, hasNeededNext: false };
    this.#branches.push(branch);
    if (isNew) {
      for (let one = place.before; one !== undefined; one = one.before) {
        if (one.hasNeededNext) break;
        one.hasNeededNext = true;
      }
    }
    return branch;
  }

  /** The ways to continue a conversation: an answer for each category, texts for later splits, timeout, expiry. */
  #choices(talk: Talk): readonly { readonly act: TalkAct; readonly mark: string }[] {
    const { waiting } = talk;
    const place = waiting === undefined ? undefined : placeOf(talk, waiting);
    if (waiting === undefined || place === undefined) return [];
    const { node, isOwn } = place;
    const { random } = this.#options;
    const question = new WaitingQuestion(talk.host, waiting, talk.contact, node, { random });
    const choice = (act: TalkAct, what: string): { act: TalkAct; mark: string } => ({
      act,
      mark: `${node.uuid} ${what}`,
    });
    const answers = question.categories.flatMap(({ uuid }) => {
      const answer = question.answerReaching(uuid) ?? (uuid === question.otherCategory ? photo : undefined);
      return answer === undefined ? [] : [choice({ kind: "say", ...answer }, uuid)];
    });
    const later = isOwn ? [...(this.#laterTexts.get(laterKey(node)) ?? []), ...(this.#laterTexts.get("") ?? [])] : [];
    return [
      ...(answers.length === 0 ? [choice({ kind: "say", ...question.answerOf("hello") }, "hello")] : answers),
      ...(waiting.wait?.timeoutSeconds === undefined ? [] : [choice({ kind: "timeout" }, "timeout")]),
      ...[...new Set(later)]
        .slice(0, 30)
        .map((text) => choice({ kind: "say", ...question.answerOf(text) }, `say ${text}`)),
      // The flow that entered this one sees that it expired.
      ...(waiting.currentRun > 0 ? [choice({ kind: "expire" }, "expire")] : []),
    ];
  }

  /** Continues a conversation with right answers until it ends, so that it can be read. */
  #toTheEnd(branch: Branch): Branch {
    const used = new Map<string, number>();
    let end = branch;
    for (let count = 0; count < LAST_ACTS_MAX; count++) {
      const choices = this.#choices(end.talk).filter(({ act }) => act.kind === "say");
      const uses = ({ mark }: { readonly mark: string }): number => used.get(mark) ?? 0;
      const chosen = choices.toSorted((a, b) => uses(a) - uses(b))[0];
      if (chosen === undefined) break;
      used.set(chosen.mark, uses(chosen) + 1);
      const { beginning, depth } = end;
      end = this.#play(end.talk.fork(), chosen.act, { before: end, depth: depth + 1, beginning });
    }
    return end.talk.waiting === undefined ? end : branch;
  }

  #walkTo(end: Branch, index: number): CoverWalk {
    const branches: Branch[] = [];
    for (let branch: Branch | undefined = end; branch !== undefined; branch = branch.before) branches.unshift(branch);
    const { startsAtMs } = this.#options;
    const lines = branches.flatMap((branch) => branch.lines);
    const last = lines.findLast(({ kind }) => kind === "end");
    return {
      script: {
        name: `${this.#flow.name} ${index + 1}`,
        startsAtMs,
        ...end.beginning,
        acts: branches.map(({ act }) => act),
      },
      lines,
      ended: last?.kind === "end" ? last.how : "waiting",
    };
  }
}

function next([fresh, others]: readonly [Branch[], Branch[]]): Branch | undefined {
  return fresh.shift() ?? others.shift();
}

/** The node at which a conversation waits. */
function placeOf(talk: Talk, session: Session): { readonly node: FlowNode; readonly isOwn: boolean } | undefined {
  const run = session.runs[session.currentRun];
  const flow = run === undefined ? undefined : talk.host.assets.flow(run.flow.uuid);
  const node = flow?.nodesByUuid.get(run?.path.at(-1)?.node ?? "");
  return node === undefined ? undefined : { node, isOwn: run?.parent === undefined };
}
