import type { SessionContact } from "../contact-state.js";
import type { HttpAnswer, HttpCall } from "../host.js";
import { Talk, type TalkAccount, type TalkOptions } from "./talk.js";
import type { TalkLine } from "./talk-line.js";

/** What happens in a conversation from outside the flows. */
export type TalkAct =
  | { readonly kind: "start"; readonly flow: string }
  | {
      readonly kind: "say";
      readonly text: string;
      readonly attachments?: readonly string[];
      /** Milliseconds after what was before; default: a minute, or half of the time until the wait times out. */
      readonly afterMs?: number;
    }
  | { readonly kind: "timeout" | "expire" }
  /** The clock advances to this time after the beginning. */
  | { readonly kind: "advance"; readonly toMs: number };

/** A conversation that can be played again, also against other versions of the flows. */
export interface TalkScript {
  readonly name: string;
  readonly contact: SessionContact;
  readonly startsAtMs: number;
  readonly acts: readonly TalkAct[];
  /** The random number of all draws, 0 to 1; default: 0. */
  readonly draw?: number;
  /** Status of the answers to HTTP calls; default: 200. */
  readonly httpStatus?: number;
  /** Answers to HTTP calls, before {@link httpStatus} applies. */
  readonly httpMocks?: readonly TalkMock[];
}

/** Answers to the HTTP calls of a conversation. */
export interface TalkMock {
  readonly matches: (call: HttpCall) => boolean;
  readonly answer: HttpAnswer;
  /** How many calls it answers, unless it is the last one that matches. */
  readonly times: number;
}

/** An act with its lines of the dialogue. */
export interface PlayedAct {
  readonly act: TalkAct;
  readonly lines: readonly TalkLine[];
}

/** Virtual time between an answer and the one before, in milliseconds. */
const ANSWER_MS = 60_000;

/** Plays a script against the flows of an account. A flow that the account lacks does not start. */
export function playScript(
  script: TalkScript,
  account: TalkAccount,
  options: Partial<Pick<TalkOptions, "random" | "http">> = {},
): readonly PlayedAct[] {
  const { acts } = script;
  const talk = talkOf(script, account, options);
  return acts.map((act) => ({ act, lines: playAct(talk, act, account) }));
}

/** The conversation of a script before its first act. */
export function talkOf(
  { contact, startsAtMs, draw = 0, httpStatus = 200, httpMocks = [] }: Omit<TalkScript, "name" | "acts">,
  account: TalkAccount,
  options: Partial<Pick<TalkOptions, "random" | "http">> = {},
): Talk {
  let count = 0;
  return new Talk({
    account,
    contact,
    startsAtMs,
    random: () => draw,
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
    http: mockedAnswers(httpMocks, { status: httpStatus, body: "{}" }),
    ...options,
  });
}

/** Answers calls by the first mock that matches and is not used up, else by the last one that matches. */
function mockedAnswers(mocks: readonly TalkMock[], otherwise: HttpAnswer): (call: HttpCall) => HttpAnswer {
  const left = mocks.map(({ times }) => times);
  return (call) => {
    const matching = [...mocks.entries()].filter(([, { matches }]) => matches(call));
    const [index, mock] = matching.find(([at]) => (left[at] ?? 0) > 0) ?? matching.at(-1) ?? [];
    if (index === undefined || mock === undefined) return otherwise;
    left[index] = (left[index] ?? 0) - 1;
    return mock.answer;
  };
}

/** Plays one act. */
export function playAct(talk: Talk, act: TalkAct, { flows }: TalkAccount): readonly TalkLine[] {
  switch (act.kind) {
    case "start": {
      const flow = flows.find(({ uuid, name }) => uuid === act.flow || name === act.flow);
      return flow === undefined
        ? [{ kind: "failure", text: `there is no flow '${act.flow}'`, place: { flow: act.flow, node: "" } }]
        : talk.start(flow);
    }
    case "say": {
      const { text, attachments, afterMs = Math.min(ANSWER_MS, (talk.timeoutSeconds ?? Infinity) * 500) } = act;
      talk.advanceTo(talk.atMs + afterMs);
      return talk.say({ text, ...(attachments !== undefined && { attachments }) });
    }
    case "timeout":
      return talk.timeout();
    case "expire":
      return talk.expire();
    case "advance":
      return talk.advanceTo(talk.startsAtMs + act.toMs);
  }
}
