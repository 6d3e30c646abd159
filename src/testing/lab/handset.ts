import type { HandVerb, VerbArgs } from "../../scenario/index.js";
import type { HandsetView } from "../../world/index.js";
import { type HandsetVerbs, verbMethods } from "../verbs.js";
import type { LabFace } from "./lab-face.js";

class HandsetBase {
  readonly #lab: LabFace;
  /** `clinic`, `clinic/0`, `clinic/0..4`. */
  readonly selector: string;

  constructor(lab: LabFace, selector: string) {
    this.#lab = lab;
    this.selector = selector;
  }

  /** The number of its SIM. */
  get phone(): string {
    return this.#lab.channelOf(this.selector).phone;
  }

  /** Battery, link, outbox and everything else of the phone now. @throws LabError where it is not one handset */
  get state(): HandsetView {
    return this.#lab.channelOf(this.selector).state;
  }

  toString(): string {
    return this.selector;
  }

  /** Performs a verb on this handset. */
  protected perform(verb: HandVerb, args: object): void {
    this.#lab.do(verb, { of: this.selector, ...args } as VerbArgs[HandVerb]);
  }
}

for (const { verb, method } of verbMethods) {
  Object.defineProperty(HandsetBase.prototype, method, {
    value(this: HandsetBase, args: object = {}) {
      this.perform(verb, args);
    },
  });
}

/**
 * One handset or several. The verbs that act on handsets are its methods, without `of`:
 * `lab.handset("clinic/0").power({ mains: "off" })`.
 */
export type Handset = HandsetBase & HandsetVerbs;

/** Makes a handset of a lab. */
export function handsetOf(lab: LabFace, selector: string): Handset {
  return new HandsetBase(lab, selector) as Handset;
}
