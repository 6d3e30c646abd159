import type { PastLab } from "./past-lab.js";
import { type PastPlan, sessionAt, type SessionPlan } from "./past-plan.js";
import type { SessionBases } from "./session-bases.js";

/** Makes a lab at the start of a session. @param base - the recording with which it begins */
export type CreateLab = (session: SessionPlan, base: Uint8Array | undefined) => Promise<PastLab>;

/** Most labs in the pool. One takes 60 MB with 1,000 handsets after a day, or with 10,000 after two hours. */
const LABS_MAX = 3;
/** Size of the largest recording for which the pool has several labs: each has a copy in memory. */
const BYTES_MAX = 128 * 1024 * 1024;

/**
 * A pool of re-executed labs, each paused at an instant. A lab only advances, so an instant is reached from the nearest
 * earlier lab of the same session.
 */
export class StandingLabs {
  readonly #plan: PastPlan;
  readonly #bases: SessionBases;
  readonly #create: CreateLab;
  readonly #most: number;
  /** The least recently used first. */
  #labs: PastLab[] = [];

  /** @param options - `bytes`: size of the recording; `bases`: cache of the sessions' beginnings */
  constructor(options: {
    readonly plan: PastPlan;
    readonly bytes: number;
    readonly bases: SessionBases;
    readonly create: CreateLab;
  }) {
    this.#plan = options.plan;
    this.#bases = options.bases;
    this.#create = options.create;
    this.#most = options.bytes > BYTES_MAX ? 1 : LABS_MAX;
  }

  /** The nearest lab at or before an instant, or a new one. */
  async before(atMs: number): Promise<PastLab> {
    const session = sessionAt(this.#plan, atMs);
    const lab = this.#labs
      .filter((each) => each.session === session.index && each.atMs <= atMs)
      .toSorted((a, b) => b.atMs - a.atMs)[0];
    if (lab === undefined) return this.#add(session);
    this.#labs = [...this.#labs.filter((each) => each !== lab), lab];
    return lab;
  }

  async #add(session: SessionPlan): Promise<PastLab> {
    const base = await this.#baseOf(session);
    while (this.#labs.length >= this.#most) await this.#labs.shift()?.close();
    const lab = await this.#create(session, base);
    this.#labs.push(lab);
    return lab;
  }

  /** The recording with which a session begins. After an interruption the next call continues with the same lab. */
  async #baseOf({ index }: SessionPlan): Promise<Uint8Array | undefined> {
    const previous = this.#plan.sessions[index - 1];
    if (previous === undefined) return undefined;
    const known = this.#bases.of(index);
    if (known !== undefined) return known;
    const lab = await this.before(previous.untilMs);
    await lab.advanceTo(previous.untilMs);
    const base = lab.snapshot();
    this.#bases.keep(index, base);
    return base;
  }
}
