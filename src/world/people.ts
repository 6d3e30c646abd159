import { sample, sampleWhole, type Stream } from "../sim/index.js";
import type { Outgoing } from "./carrier.js";
import type { PeopleGroup } from "./cast/cast.js";
import type { Roster } from "./cast/roster.js";
import { streamOf, type WorldContext } from "./world-context.js";

interface Reply {
  readonly people: People;
  readonly person: number;
  readonly channel: number;
  readonly text: string;
}

/** People with phones of their own: they text, call, pick up or not, and reply to what they hear. */
export class People {
  readonly roster: Roster<PeopleGroup>;
  readonly #context: WorldContext;
  readonly #streams = new Map<number, Stream>();
  #repliesUnderWay = 0;
  readonly #sendText: (person: number, channel: number, text: string, stream: Stream) => void;

  /** @param texts - called when a person sends a text to a channel's number */
  constructor(
    roster: Roster<PeopleGroup>,
    context: WorldContext,
    texts: (person: number, channel: number, text: string, stream: Stream) => void,
  ) {
    this.roster = roster;
    this.#context = context;
    this.#sendText = texts;
  }

  /** People who have read a text and are going to answer it. */
  get repliesUnderWay(): number {
    return this.#repliesUnderWay;
  }

  /** A person's own stream. */
  streamOf(person: number): Stream {
    let stream = this.#streams.get(person);
    if (stream === undefined) {
      stream = streamOf(this.#context, `person/${this.roster.nameAt(person)}`);
      this.#streams.set(person, stream);
    }
    return stream;
  }

  /** The person's name, from a stream of its own, so that asking for it moves nothing; the same however often a world begins. */
  displayNameOf(person: number): string | undefined {
    if (this.roster.isGuest(person)) return undefined;
    const { group, member } = this.roster.memberAt(person);
    if (group.displayName === undefined) return undefined;
    const stream = this.#context.streams.get(`person/${group.name}/${member}/name`);
    return sample(group.displayName, stream, this.#context.fakes);
  }

  /** A person's phone shows a text that came through a channel. */
  showText(channel: number, { id, person, text }: Outgoing): void {
    const { ports, kernel, fakes } = this.#context;
    ports.heard(person, text, channel, kernel.now, id);
    if (this.roster.isGuest(person)) return;
    const { replies } = this.roster.memberAt(person).group;
    if (replies === undefined) return;
    const stream = this.streamOf(person);
    if (!stream.chance(replies.chance)) return;
    const afterMs = sampleWhole(replies.after, stream);
    const reply = { people: this, person, channel, text: sample(replies.with, stream, fakes) };
    this.#repliesUnderWay++;
    kernel.in(afterMs, People.#replyDue, reply);
  }

  static #replyDue(this: void, { people, person, channel, text }: Reply): void {
    people.#repliesUnderWay--;
    people.#sendText(person, channel, text, people.streamOf(person));
  }
}
