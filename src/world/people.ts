import { compilePattern, type PatternSpec, type PatternTest } from "../wire/index.js";
import { sample, sampleWhole, type Stream, type Timer } from "../sim/index.js";
import type { TextRecipients } from "./carrier/carrier.js";
import type { Outgoing, Subscriber } from "./carrier/subscriber.js";
import type { PeopleGroup, ReplyHabit } from "./cast/cast.js";
import type { Roster } from "./cast/roster.js";
import { ChangingValues } from "./changing-values.js";
import { streamOf, type WorldContext } from "./world-context.js";

/** A text that a person will send. */
export interface TextPlan {
  readonly person: number;
  readonly channel: number;
  readonly text: string;
  readonly afterMs: number;
  /** Whether a drain waits for it. */
  readonly isAwaited: boolean;
}

/** A planned text. Cancel it to plan it again. */
export interface PlannedText {
  /** Whether it has been sent or cancelled. */
  readonly isOver: boolean;
  cancel(): void;
}

/** The state of a person's phone, which a story step can change. */
interface PhoneState {
  isOff: boolean;
}

/** Carries the texts that people send. */
export interface TextSender {
  sendText(person: number, channel: number, text: string, stream: Stream): void;
}

/** People: they read the texts of handsets, and may reply to them or answer questions of flows. Each has a separate random stream. */
export class People implements TextRecipients {
  readonly #roster: Roster<PeopleGroup>;
  readonly #context: WorldContext;
  readonly #streams = new Map<number, Stream>();
  /** The compiled patterns of `replies.to`. */
  readonly #patterns = new Map<PatternSpec, PatternTest>();
  #repliesUnderWay = 0;
  readonly #sender: TextSender;
  /** The phones that a step has switched, by person; all others are on. */
  readonly #phones = new Map<number, ChangingValues<PhoneState>>();
  /** Texts that are due while the sender's phone is off, by person. */
  readonly #postponed = new Map<number, Planned[]>();
  /** By person and channel: the SIM from which the handset last wrote to the person, if it is not its `castSim`. */
  readonly #numbers = new Map<number, Map<number, Subscriber>>();
  /** Called when a person's phone is on again. */
  onReachable: (person: number) => void = () => undefined;

  constructor(options: {
    readonly roster: Roster<PeopleGroup>;
    readonly context: WorldContext;
    readonly sender: TextSender;
  }) {
    this.#roster = options.roster;
    this.#context = options.context;
    this.#sender = options.sender;
  }

  /** Number of people who have read a text and will reply. */
  get repliesUnderWay(): number {
    return this.#repliesUnderWay;
  }

  /** A person's stream, made on first use. */
  streamOf(person: number): Stream {
    let stream = this.#streams.get(person);
    if (stream === undefined) {
      stream = streamOf(this.#context, `person/${this.#roster.nameAt(person)}`);
      this.#streams.set(person, stream);
    }
    return stream;
  }

  /**
   * The person's name. It has a separate stream, so reading it draws nothing else, and it is the same in a continued
   * world.
   */
  displayNameOf(person: number): string | undefined {
    if (this.#roster.isGuest(person)) return undefined;
    const { group, member } = this.#roster.memberAt(person);
    if (group.displayName === undefined) return undefined;
    const stream = this.#context.streams.get(`person/${group.name}/${member}/name`);
    return sample(group.displayName, stream, this.#context.fakes);
  }

  isUnreachable(person: number): boolean {
    return this.#phones.size > 0 && this.#phones.get(person)?.current.isOff === true;
  }

  /** Switches a person's phone off or on, for good or for a time. */
  switchPhone(person: number, isOff: boolean, forMs: number | undefined): void {
    let phone = this.#phones.get(person);
    if (phone === undefined) {
      const { kernel } = this.#context;
      phone = new ChangingValues<PhoneState>({ isOff: false }, { kernel, onChange: () => this.#stateChanged(person) });
      this.#phones.set(person, phone);
    }
    phone.change({ isOff }, forMs);
  }

  /** Called after each change. If the phone is on, the person sends what was postponed and gets what waits. */
  #stateChanged(person: number): void {
    if (this.isUnreachable(person)) return;
    const postponed = this.#postponed.get(person) ?? [];
    this.#postponed.delete(person);
    for (const planned of postponed) if (!planned.isOver) People.#textDue(planned);
    this.onReachable(person);
  }

  /** Handles a text of a handset that a person's phone shows. */
  showText(from: Subscriber, { id, person, text, order }: Outgoing): void {
    const { ports, kernel, fakes } = this.#context;
    const { channel } = from;
    if (!from.isKnown || this.#numbers.size > 0) this.#noteNumber(person, from);
    ports.heard(person, text, channel, kernel.now, id);
    if (order !== undefined) ports.disordered?.(channel, id, order);
    if (this.#roster.isGuest(person)) return;
    const { replies, answers } = this.#roster.memberAt(person).group;
    if (answers !== undefined && ports.asked?.(person, channel) === true) return;
    const habit = this.#habitFor(replies, text);
    if (habit === undefined) return;
    const stream = this.streamOf(person);
    if (!stream.chance(habit.chance)) return;
    const afterMs = sampleWhole(habit.after, stream);
    this.planText({ person, channel, text: String(sample(habit.with, stream, fakes)), afterMs, isAwaited: true });
  }

  #noteNumber(person: number, from: Subscriber): void {
    const known = this.#numbers.get(person);
    if (from.isKnown) known?.delete(from.channel);
    else if (known === undefined) this.#numbers.set(person, new Map([[from.channel, from]]));
    else known.set(from.channel, from);
  }

  /**
   * The number that a person uses for a handset: the one from which the handset last wrote to the person; undefined:
   * its number in the cast.
   */
  numberFor(person: number, channel: number): Subscriber | undefined {
    return this.#numbers.size === 0 ? undefined : this.#numbers.get(person)?.get(channel);
  }

  /** The first of a group's habits that answers a text. */
  #habitFor(replies: PeopleGroup["replies"], text: string): ReplyHabit | undefined {
    if (replies === undefined) return undefined;
    if ("chance" in replies) return this.#answersTo(replies.to, text) ? replies : undefined;
    return replies.find(({ to }) => this.#answersTo(to, text));
  }

  #answersTo(pattern: PatternSpec | undefined, text: string): boolean {
    if (pattern === undefined) return true;
    let matches = this.#patterns.get(pattern);
    if (matches === undefined) {
      const compiled = compilePattern(pattern);
      if (typeof compiled !== "function") throw new RangeError(`the pattern /${pattern.source}/ ${compiled.message}`);
      matches = compiled;
      this.#patterns.set(pattern, matches);
    }
    return matches(text);
  }

  /** Makes a person send a text later. */
  planText(plan: TextPlan): PlannedText {
    const planned = new Planned(plan, this);
    if (plan.isAwaited) this.#repliesUnderWay++;
    planned.timer = this.#context.kernel.in(plan.afterMs, People.#textDue, planned);
    return planned;
  }

  cancelText({ plan: { isAwaited }, timer, isPostponed }: Planned): void {
    const isCancelled = isPostponed || (timer !== undefined && this.#context.kernel.cancel(timer));
    if (isCancelled && isAwaited) this.#repliesUnderWay--;
  }

  #postpone(planned: Planned): void {
    const { person } = planned.plan;
    planned.isPostponed = true;
    const postponed = this.#postponed.get(person);
    if (postponed === undefined) this.#postponed.set(person, [planned]);
    else postponed.push(planned);
  }

  static #textDue(this: void, planned: Planned): void {
    const { people, plan } = planned;
    if (people.isUnreachable(plan.person)) return people.#postpone(planned);
    planned.isOver = true;
    if (plan.isAwaited) people.#repliesUnderWay--;
    people.#sender.sendText(plan.person, plan.channel, plan.text, people.streamOf(plan.person));
  }
}

/** A text that a person sends when it is due, or when the person's phone is on again. */
class Planned implements PlannedText {
  readonly plan: TextPlan;
  readonly people: People;
  timer: Timer | undefined;
  isOver = false;
  /** It was due while the person's phone was off. */
  isPostponed = false;

  constructor(plan: TextPlan, people: People) {
    this.plan = plan;
    this.people = people;
  }

  cancel(): void {
    if (this.isOver) return;
    this.people.cancelText(this);
    this.isOver = true;
  }
}
