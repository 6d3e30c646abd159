import { writeFileSync } from "node:fs";
import { isRegExp } from "node:util/types";
import { LabError } from "../../base/index.js";
import { performHand } from "../../lab/index.js";
import type { LedgerReport } from "../../ledger/index.js";
import { type HandVerb, type Scenario, selectMembers, selectPeople, type VerbArgs } from "../../scenario/index.js";
import type { HandsetView } from "../../world/index.js";
import { queued } from "../../ledger/index.js";
import type { ReceiverFront } from "../receiver/front.js";
import type { TestReceiver } from "../receiver/kinds.js";
import { type Do, type LabVerbs, verbMethods } from "../verbs.js";
import { callersStack } from "../messages/callers-stack.js";
import { heardNothing } from "../messages/heard-nothing.js";
import { textTest } from "../messages/words.js";
import { type Handset, handsetOf } from "./handset.js";
import { LabRun, type LabRunOptions } from "./lab-run.js";
import type { Heard, LabEvent } from "./log.js";
import type { HearsOptions, LabFace, TextPattern } from "./lab-face.js";
import { isPerson, Person } from "./person.js";
import { readEvents } from "./read-events.js";
import { type LabSnapshot, snapshotOf } from "./snapshot.js";
import { type Span, spanMs } from "./spans.js";

/** How long `hears` waits by default. */
const WITHIN = "5m";

/** How long `settle` lets time pass by default. */
const SETTLE = "1d";

/** The steps in which `settle` lets time pass: virtual milliseconds. */
const SETTLE_STEP_MS = 1000;

/** For a flow that the lab does not start. */
const FLOW_HINT =
  "a lab has the flows of its account: startLab({ scenario }) with data: account.yaml in the scenario. " +
  "With of, a number as flow, and name, a flow event is emitted without one";

/** The lab's receiver. Called as a function, it is the verb `receiver`: `lab.receiver({ answers: 503, for: "10m" })`. */
export interface LabReceiver {
  (args: VerbArgs["receiver"]): void;
  /** Where the events are posted; undefined: nowhere. */
  readonly url: string | undefined;
  /** Puts another handler in its place, as a new release of the application does. */
  use(receiver: TestReceiver): Promise<void>;
}

/** Marks labs, also where a test file has loaded this package twice. */
const IS_LAB = Symbol.for("handset-lab/testing/lab");

class TestLabBase implements LabFace {
  readonly [IS_LAB] = true;
  #run: LabRun;
  readonly #options: LabRunOptions;
  readonly #front: ReceiverFront | undefined;
  #isClosed = false;
  /** Where the events go. */
  readonly receiver: LabReceiver;
  /** Performs a verb of the scenario language now: `lab.do("power-cut", { of: "clinic", for: "2h" })`. */
  readonly do: Do = (verb, args) => this.#perform(verb, args);

  constructor(run: LabRun, options: LabRunOptions) {
    this.#run = run;
    this.#options = options;
    this.#front = options.front;
    const front = options.front;
    this.receiver = Object.defineProperties(((args) => this.#perform("receiver", args)) as LabReceiver, {
      url: { value: front?.url, enumerable: true },
      use: {
        value: async (receiver: TestReceiver) => {
          if (front === undefined) throw new LabError("bad-options", "this lab's events go nowhere (receiver: none)");
          await front.use(receiver);
        },
      },
    });
  }

  /** The scenario that it plays. */
  get scenario(): Scenario {
    return this.#options.scenario;
  }

  /** Virtual time. */
  get now(): Date {
    return new Date(this.#startsAtMs + this.#run.nowMs);
  }

  /** Virtual milliseconds since the start. */
  get nowMs(): number {
    return this.#run.nowMs;
  }

  /** Somebody with a phone: by number, also one who is not in the cast, or by a selector such as `farmers/3`. */
  person(who: string): Person {
    const selected = selectPeople(who, this.scenario.cast);
    if ("message" in selected) throw new LabError("bad-options", `'${who}' ${selected.message}`, hintOf(selected.hint));
    return new Person(this, who);
  }

  /** A handset, or several: `clinic`, `clinic/0`, `clinic/0..4`. */
  handset(selector: string): Handset {
    this.#channelsOf(selector);
    return handsetOf(this, selector);
  }

  /** Lets virtual time pass. It returns when everything due has happened and the receiver has answered what it got. */
  async advance(span: Span): Promise<void> {
    const ms = spanMs(span, "span");
    this.#checkOpen();
    await this.#run.advance((nowMs) => nowMs + ms);
  }

  /**
   * Lets virtual time pass until a person hears a text that matches, at most `within` (default 5m). A text that was heard
   * before counts, too, unless an earlier `hears` has found it.
   *
   * @returns the text
   * @throws AssertionError that says what the receiver got and answered, and what the person heard instead
   */
  hears(person: Person | string, pattern: TextPattern, options: HearsOptions = {}): Promise<Heard> {
    // eslint-disable-next-line typescript/unbound-method -- it only says where the stack of the caller begins
    return this.hearsOr(callersStack(this.hears), person, pattern, options);
  }

  /** `hears` with the stack for its error. */
  async hearsOr(
    origin: ReturnType<typeof callersStack>,
    person: Person | string,
    pattern: TextPattern,
    { within = WITHIN }: HearsOptions = {},
  ): Promise<Heard> {
    const found = await this.findHeard(person, pattern, { within });
    if (found !== undefined) return found;
    throw heardNothing(this, { who: String(person), pattern, within, origin });
  }

  /** As `hears`, and returns undefined where nothing matches. */
  async findHeard(
    person: Person | string,
    pattern: TextPattern,
    { within = WITHIN }: HearsOptions = {},
  ): Promise<Heard | undefined> {
    this.#checkOpen();
    const run = this.#run;
    const ms = spanMs(within, "within");
    const place = this.#placeOf(String(person));
    const matches = textTest(pattern);
    const taken = this.#taken;
    let index = 0;
    const search = (): boolean => {
      for (; index < run.hearings.length; index++) {
        const hearing = run.hearings[index];
        if (hearing?.person === place && !taken.has(hearing) && matches(hearing.text)) return true;
      }
      return false;
    };
    if (!(await run.advance((nowMs) => nowMs + ms, search))) return undefined;
    const hearing = run.hearings[index];
    if (hearing === undefined) return undefined;
    taken.add(hearing);
    return this.#heardOf(hearing);
  }

  /**
   * Lets virtual time pass until nothing is under way any more: no text, call, event or attempt. At most `within`, default
   * 1d.
   *
   * @returns whether nothing is under way
   */
  async settle({ within = SETTLE }: HearsOptions = {}): Promise<boolean> {
    const ms = spanMs(within, "within");
    this.#checkOpen();
    const untilMs = this.nowMs + ms;
    while (queued(this.ledger()) > 0 && this.nowMs < untilMs) {
      await this.#run.advance((nowMs) => Math.min(nowMs + SETTLE_STEP_MS, untilMs));
    }
    return queued(this.ledger()) === 0;
  }

  /** The events of the service so far, oldest first, with what the receiver answered. @param type - only of this type */
  events(type?: string): LabEvent[] {
    this.#checkOpen();
    const events = readEvents(this.#run, this.#front, (atMs) => this.instantAt(atMs));
    return type === undefined ? events : events.filter((event) => event.type === type);
  }

  /** Every text that was heard, oldest first. */
  get heard(): readonly Heard[] {
    return this.#run.hearings.map((hearing) => this.#heardOf(hearing));
  }

  /** The accounts of texts, calls, events and attempts: in + copies = delivered + failed + queued + lost by a cause. */
  ledger(): LedgerReport {
    return this.#run.lab.ledger();
  }

  /**
   * The state now, as plain data: phones, people, events, accounts. The same inputs with the same seed give the same, so
   * it can be compared, and kept by a test runner's `toMatchSnapshot`.
   */
  snapshot(): LabSnapshot {
    this.#checkOpen();
    return snapshotOf(this, this.#run);
  }

  /** Writes everything so far as a recording, for `handset events`, `why`, `report`. @param path - replaced if it exists */
  save(path: string): void {
    this.#checkOpen();
    writeFileSync(path, this.#run.recording.snapshot());
  }

  /** Without arguments: begins again with the same world at its first instant. With: the verb `reset` of the story. */
  reset(): Promise<void>;
  reset(args: VerbArgs["reset"]): void;
  reset(args?: VerbArgs["reset"]): Promise<void> | void {
    return args === undefined ? this.#restart() : this.#perform("reset", args);
  }

  /** Ends the lab: no timer, socket or server is left. May be called twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#run.close();
    await this.#front?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The number of a person. @throws LabError where it is not one person */
  phoneOf(who: string): string {
    return this.#run.lab.world.population.phoneOfPerson(this.#placeOf(who));
  }

  /** What one person heard, oldest first. */
  heardBy(who: string): readonly Heard[] {
    const place = this.#placeOf(who);
    return this.#run.hearings.filter(({ person }) => person === place).map((hearing) => this.#heardOf(hearing));
  }

  /** Number and state of one handset. @throws LabError where it is not one handset */
  channelOf(selector: string): { readonly channel: number; readonly phone: string; readonly state: HandsetView } {
    const [channel, more] = this.#channelsOf(selector);
    if (channel === undefined || more !== undefined) {
      throw new LabError("bad-options", `'${selector}' is not one handset`, { hint: "write one, such as clinic/0" });
    }
    const { world } = this.#run.lab;
    return { channel, phone: world.handset(channel).phone, state: world.inspectHandset(channel) };
  }

  /** A virtual instant in ISO 8601, UTC. */
  instantAt(atMs: number): string {
    return new Date(this.#startsAtMs + atMs).toISOString();
  }

  /** The world under way. Not for tests: what it has may change. */
  get run(): LabRun {
    this.#checkOpen();
    return this.#run;
  }

  /** The texts that a `hears` has found. */
  readonly #taken = new Set<LabRun["hearings"][number]>();

  async #restart(): Promise<void> {
    this.#checkOpen();
    await this.#run.close();
    this.#taken.clear();
    this.#front?.reset();
    this.#run = await LabRun.start(this.#options);
  }

  #perform<Name extends HandVerb>(verb: Name, args: VerbArgs[Name]): void {
    this.#checkOpen();
    // `note` takes a text in a story.
    const given = typeof args === "object" ? args : { text: args };
    const problems = performHand(this.#run.lab, this.scenario, { verb, args: plainOf(given) });
    const [problem] = problems.filter(({ severity }) => severity === "error");
    if (problem === undefined) return;
    const { message, code, hint = verb === "flow" && code === "unknown-reference" ? FLOW_HINT : undefined } = problem;
    throw new LabError("bad-options", `${verb}: ${message}`, hintOf(hint));
  }

  #heardOf({ person, text, channel, atMs }: LabRun["hearings"][number]): Heard {
    const { population } = this.#run.lab.world;
    return {
      text,
      atMs,
      at: this.instantAt(atMs),
      person: population.phoneOfPerson(person),
      handset: population.nameOfHandset(channel),
    };
  }

  #placeOf(who: string): number {
    const selected = selectPeople(who, this.scenario.cast);
    if ("message" in selected) throw new LabError("bad-options", `'${who}' ${selected.message}`, hintOf(selected.hint));
    const [place, more] = this.#run.lab.world.population.peopleOf(selected.choice);
    if (place !== undefined && more === undefined) return place;
    throw new LabError("bad-options", `'${who}' is not one person`, { hint: "write one, such as farmers/0" });
  }

  #channelsOf(selector: string): number[] {
    const selected = selectMembers(selector, "handsets", this.scenario.cast);
    if ("message" in selected) {
      throw new LabError("bad-options", `'${selector}' ${selected.message}`, hintOf(selected.hint));
    }
    return this.#run.lab.world.population.channelsOf(selected.selector);
  }

  get #startsAtMs(): number {
    return this.scenario.cast.startsAtMs;
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new LabError("bad-options", "the lab is closed", { hint: "start another with startLab()" });
  }
}

for (const { verb, method } of verbMethods) {
  if (method in TestLabBase.prototype || verb === "receiver") continue;
  Object.defineProperty(TestLabBase.prototype, method, {
    value(this: TestLabBase, args: never) {
      this.do(verb, args);
    },
  });
}

/** A lab in a test: phones, people and the service, before your receiver. The verbs of the story are its methods. */
export type TestLab = TestLabBase & LabVerbs;

/** Makes a lab. `startLab` does. */
export function testLabOf(run: LabRun, options: LabRunOptions): TestLab {
  return new TestLabBase(run, options) as TestLab;
}

/** Arguments as plain data: regular expressions as the language spells them, persons and handsets by their selectors. */
function plainOf(value: unknown): unknown {
  if (isRegExp(value) || isPerson(value)) return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if ("selector" in value && typeof value.selector === "string") return value.selector;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainOf(one)]));
}

function hintOf(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}

/** Whether a value is a lab of `startLab`. */
export function isTestLab(value: unknown): value is TestLab {
  return typeof value === "object" && value !== null && IS_LAB in value;
}
