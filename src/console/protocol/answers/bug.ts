import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText } from "./shared.js";

const { arrayOf, boolean, described, integer, mapOf, nullable, number, objectOf, oneOf, text } = schema;

const bugRequest = objectOf({
  after_ms: described("Since the request before; null: the first, or at the same moment", nullable(number)),
  with_previous: described("Sent at the same moment as the one before, on another connection", boolean),
  type: described("Type of the event; empty: the body names none", text),
  person: described("Number of the person", nullableText),
  text: nullableText,
  body: text,
  path: nullableText,
});
export type BugRequest = ValueOf<typeof bugRequest>;

/** A bug file that was read. */
export const bugFile = objectOf({
  name: text,
  kind: described(
    "`exact`: exact requests; `scenario`: a scenario whose `expect` says what is right",
    oneOf(["exact", "scenario"]),
  ),
  title: text,
  story: described("The comment at the head of the file, a paragraph each", arrayOf(text)),
  requests: arrayOf(bugRequest),
  right: described(
    "What is right: expectations and checks",
    arrayOf(
      objectOf({
        text: described("As it is written", text),
        words: described("In words: `a status of 200 to 299`", text),
        request: described("The request whose answer it judges, from 1; null: the whole", nullable(integer)),
      }),
    ),
  ),
  seen: described("What went wrong when it was written, by key; null: it does not say", nullable(mapOf(text))),
  versions: mapOf(text),
  problems: arrayOf(objectOf({ line: integer, column: integer, is_error: boolean, message: text, hint: nullableText })),
  receiver: described("Where it is played here; null: not here", nullableText),
  not_here: described("Why it cannot be played here; null: it can", nullableText),
});
export type BugFile = ValueOf<typeof bugFile>;

const bugAnswer = objectOf({
  request: described("Counted from 1", integer),
  status: nullable(integer),
  text: described("The answer on one line", text),
  ms: described("Real time from the request to the answer", number),
  reply: described("The message that the answer asks for", nullableText),
});
export type BugAnswer = ValueOf<typeof bugAnswer>;

const playedBug = objectOf({
  requests: described("Requests of the file", integer),
  answers: arrayOf(bugAnswer),
  expectations: arrayOf(objectOf({ text, held: boolean, seen: nullableText })),
  verdict: described("Null: it plays still", nullable(oneOf(["there", "not-there", "not-judged"]))),
  words: described("The verdict as a sentence", text),
});
export type PlayedBug = ValueOf<typeof playedBug>;

const minimisedBug = objectOf({
  condition: text,
  phase: text,
  trials: described("Inputs that were tried", integer),
  events: described("Events of the smallest failing input so far", integer),
  before: described("Events at the start", integer),
  ending: described(
    "Null: it searches still. `forgets-nothing`: the receiver remembers earlier plays",
    nullable(oneOf(["found", "passes", "forgets-nothing"])),
  ),
  words: described("The outcome, a sentence each", arrayOf(text)),
  yaml: described("The bug file; null: there is none", nullableText),
  command: described("The command that does it in a terminal, which starts the receiver for each trial", text),
});
export type MinimisedBug = ValueOf<typeof minimisedBug>;

/** The requests that a search begins with. */
export const bugInput = objectOf({
  name: described("Name for the file", text),
  requests: integer,
  yaml: described("A bug file of all of them", text),
});
export type BugInput = ValueOf<typeof bugInput>;

/** The one piece of work with a bug at the lab's receiver: what runs, or what ran last. */
export const bugJob = objectOf({
  id: described("Counted from 1; 0: there was none", integer),
  is_running: boolean,
  problem: described("Why it ended without a result; null: it did not", nullableText),
  play: nullable(playedBug),
  minimise: nullable(minimisedBug),
});
export type BugJob = ValueOf<typeof bugJob>;

/** A bug file of a chain's events, or what can be wrong with them. */
export const chainBug = objectOf({
  condition: described(
    "What is wrong, as `--while` spells it; null: nothing shows, so the caller must say",
    nullableText,
  ),
  is_proposed: described("Whether the lab found it; false: the caller named it", boolean),
  choices: described("What can be wrong with such an event", arrayOf(objectOf({ condition: text, label: text }))),
  requests: described("Number of requests that reached the receiver", integer),
  failing: described("The request that shows it, from 1; null: none does", nullable(integer)),
  right: described("What is right then, in words", nullableText),
  yaml: described("The bug file; null: `condition` is null", nullableText),
  notes: arrayOf(text),
  no_minimise: described("Why it cannot be minimised here; null: it can", nullableText),
  command: described("The command that minimises it in a terminal", text),
});
export type ChainBug = ValueOf<typeof chainBug>;
