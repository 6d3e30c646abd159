import type { PastLab } from "./past-lab.js";

/** Labs that stand at a time. One takes 60 MB with 1,000 handsets after a day, or with 10,000 after two hours. */
const LABS_MAX = 3;
/** Bytes of recordings up to which several labs stand: each has a recording of its own in memory. */
const BYTES_MAX = 128 * 1024 * 1024;

/**
 * Labs of the past that stand at moments. A lab only goes forward, so a moment is reached from the nearest one before it.
 */
export class StandingLabs {
  readonly #create: () => Promise<PastLab>;
  readonly #most: number;
  /** The least recently used first. */
  #labs: PastLab[] = [];

  /** @param options - `bytes`: size of the recording; `create`: makes a lab at the start */
  constructor({ bytes, create }: { readonly bytes: number; readonly create: () => Promise<PastLab> }) {
    this.#create = create;
    this.#most = bytes > BYTES_MAX ? 1 : LABS_MAX;
  }

  /** The lab that stands nearest before an instant, or at it; a new one where none does. */
  async before(atMs: number): Promise<PastLab> {
    const lab = this.#labs.filter((each) => each.atMs <= atMs).toSorted((a, b) => b.atMs - a.atMs)[0];
    if (lab === undefined) return this.#add();
    this.#labs = [...this.#labs.filter((each) => each !== lab), lab];
    return lab;
  }

  async #add(): Promise<PastLab> {
    while (this.#labs.length >= this.#most) await this.#labs.shift()?.close();
    const lab = await this.#create();
    this.#labs.push(lab);
    return lab;
  }
}
