import { LabError } from "../../base/index.js";
import {
  isConditional,
  type DeliveryInput,
  lineOf,
  membersOf,
  type Scenario,
  type ServiceFaultInput,
  type Step,
  type StoryCondition,
  type StoryInput,
} from "../../scenario/index.js";
import { Streams } from "../../sim/index.js";
import { Parts, type PeopleChoice, type RosterSelection, type Selector, selectorText } from "../../world/index.js";
import { numberCrossings } from "./number-crossings.js";

/** Most crossings that the error message lists. */
const CROSSINGS_SHOWN = 10;

/**
 * Rejects a scenario in which people or handsets of one part text or call another part's: parts exchange nothing. A
 * receiver's replies are not known in advance, so `CrossPartReplies` checks them during the run.
 *
 * @param options - `count`: of parts; `hasReceiver`: events are posted, so there may be replies; `isReceiverShared`:
 * all parts post to one
 * @throws LabError `crosses-parts` with each line of the scenario and who crosses there
 */
export function refuseCrossings(
  scenario: Scenario,
  options: { readonly count: number; readonly hasReceiver: boolean; readonly isReceiverShared: boolean },
): void {
  const { count } = options;
  if (count === 1) return;
  const check = new CrossingCheck(scenario, count);
  const crossings = [
    ...check.service(options),
    ...check.traffic(),
    ...check.story(),
    ...check.troubles(),
    ...check.numbers(),
    ...(options.isReceiverShared ? check.receiverSteps() : []),
  ];
  if (crossings.length === 0) return;
  const { file } = scenario.source;
  const told = crossings.slice(0, CROSSINGS_SHOWN).map(({ line, why }) => `\n  ${file}:${line}: ${why}`);
  const left = crossings.length - told.length;
  const more = left === 0 ? "" : `\n  and ${left} more`;
  throw new LabError("crosses-parts", `this scenario cannot be played in ${count} parts:${told.join("")}${more}`, {
    hint: "let each person text and call handsets of the home handset's part only, or play it whole",
  });
}

interface Crossing {
  readonly line: number;
  readonly why: string;
}

class CrossingCheck {
  readonly #scenario: Scenario;
  readonly #parts: Parts;

  constructor(scenario: Scenario, count: number) {
    this.#scenario = scenario;
    this.#parts = new Parts({ cast: scenario.cast, count, streams: new Streams(scenario.seed) });
  }

  service({ hasReceiver }: { readonly hasReceiver: boolean }): Crossing[] {
    const { service } = this.#scenario;
    if (!hasReceiver || service.replyThrough !== "last-seen") return [];
    const why = `replies go through the channel that was seen last, which may be in another part`;
    return [{ line: lineOf(this.#scenario, ["service", "reply-through"], ["service"]), why }];
  }

  traffic(): Crossing[] {
    return this.#scenario.cast.traffic.flatMap((spec, index) => {
      const isFromHandsets = spec.kind === "sends" || spec.from === "handsets";
      const why = isFromHandsets
        ? this.#fromHandsets(spec.handsets, spec.people)
        : this.#fromPeople(spec.people, spec.handsets);
      const line = (): number => lineOf(this.#scenario, ["traffic", index, spec.kind], ["traffic", index]);
      return why === undefined ? [] : [{ line: line(), why }];
    });
  }

  story(): Crossing[] {
    return this.#scenario.story.flatMap((step) => {
      const { line, input, occurrence = 0 } = step;
      const why = occurrence === 0 ? (this.#ofStep(input) ?? this.#ofConditional(step)) : undefined;
      return why === undefined ? [] : [{ line, why }];
    });
  }

  /** The keys `delivery`. */
  troubles(): Crossing[] {
    return (this.#scenario.troubles ?? []).flatMap(({ input }) => {
      const why = this.#countsAcross(input);
      return why === undefined ? [] : [{ line: lineOf(this.#scenario, ["delivery"], ["handsets"]), why }];
    });
  }

  numbers(): Crossing[] {
    return numberCrossings(this.#scenario, this.#parts);
  }

  /** The story's receiver steps: they act on all parts, but each part is at another instant of its story. */
  receiverSteps(): Crossing[] {
    const why = "the step switches the receiver for all parts, which are at other instants of their stories";
    return this.#scenario.story.flatMap(({ line, input, occurrence = 0 }) =>
      input.to === "receiver" && occurrence === 0 ? [{ line, why }] : [],
    );
  }

  #ofStep(step: StoryInput): string | undefined {
    if (step.to === "world") {
      const { input } = step;
      if (input.verb === "text") return this.#fromPeople(input.from, input.to);
      if (input.verb !== "call") return undefined;
      return input.by === "person"
        ? this.#fromPeople(input.people, input.handsets)
        : this.#fromHandsets(input.handsets, input.people);
    }
    if (step.to === "delivery") return this.#countsAcross(step.input);
    if (step.to !== "gateway") return undefined;
    const { input } = step;
    if (input.verb === "service") return this.#offersAcross(input);
    if (input.verb === "send") return this.#fromPeople(input.to, input.via);
    return input.verb === "flow" ? this.#fromPeople(input.person, input.of) : undefined;
  }

  /**
   * Why a conditional step cannot be played in parts: a part knows only its own handsets and people, so the condition
   * and the members of the step must be in one part.
   */
  #ofConditional(step: Step): string | undefined {
    if (!isConditional(step)) return undefined;
    const { story } = this.#scenario;
    let root: Step | undefined = step;
    while (root?.follows !== undefined) {
      const place: number = root.follows.place;
      root = story.find((one) => one.place === place);
    }
    const decides = root?.waits === undefined ? undefined : this.#partOfCondition(root.waits.condition);
    if (decides === undefined) return "the condition is on handsets or people of several parts";
    if (step.waits !== undefined && this.#partOfCondition(step.waits.condition) !== decides)
      return `the condition is not decided in part ${decides}, as the one before it`;
    if (step.input.to === "log") return undefined;
    const members = membersOf(step.input);
    if (members === undefined) return `the step acts on all parts, but its condition is decided in part ${decides}`;
    const acts =
      members.kind === "handsets" ? this.#partOfHandsets(members.selector) : this.#partOfPeople(members.choice);
    return acts === decides ? undefined : `the step acts outside part ${decides}, in which its condition is decided`;
  }

  #partOfCondition(condition: StoryCondition): number | undefined {
    if (condition.kind === "broadcast") return undefined;
    if (condition.kind === "hears" || condition.kind === "flow") return this.#partOfPeople(condition.people);
    return condition.of && this.#partOfHandsets(condition.of);
  }

  #partOfHandsets(selector: Selector): number | undefined {
    return this.#solePartOf(this.#parts.handsets.select(selector), (place) => this.#parts.ofHandset(place));
  }

  #partOfPeople(choice: PeopleChoice): number | undefined {
    if ("phone" in choice) return undefined;
    return this.#solePartOf(this.#parts.people.select(choice), (place) => this.#parts.ofPerson(place));
  }

  /** People text or call their home handset if it is among the selected ones, else any of these. */
  #fromPeople(people: PeopleChoice, handsets: Selector): string | undefined {
    if ("phone" in people) return homeless(people.phone);
    const parts = this.#parts;
    const meant = parts.handsets.select(handsets);
    const sole = this.#solePartOf(meant, (place) => parts.ofHandset(place));
    const senders = parts.people.select(people);
    for (let index = 0; index < senders.count; index++) {
      const person = senders.at(index);
      const home = parts.homes.homeOf(person);
      if (meant.indexOf(home) !== -1 || parts.ofHandset(home) === sole) continue;
      const where = sole === undefined ? "in several parts" : `in part ${sole}`;
      return (
        `${parts.people.nameAt(person)} is at home at ${parts.handsets.nameAt(home)}, in part ` +
        `${parts.ofHandset(home)}, and ${selectorText(handsets, parts.handsets.groups)} is ${where}`
      );
    }
    return undefined;
  }

  /** Why fault `offers-to` cannot be played in parts: both sides must be in one part, which has the queues of both. */
  #offersAcross({ of, offersTo }: ServiceFaultInput): string | undefined {
    if (offersTo === undefined) return undefined;
    const { handsets } = this.#parts;
    const partOf = (selector: Selector): number | undefined =>
      this.#solePartOf(handsets.select(selector), (place) => this.#parts.ofHandset(place));
    const part = partOf(of);
    if (part !== undefined && part === partOf(offersTo)) return undefined;
    return `messages of ${selectorText(of, handsets.groups)} are offered to ${selectorText(offersTo, handsets.groups)}, in another part`;
  }

  /** `times` counts over all handsets of a trouble: all must be in one part. */
  #countsAcross({ of, times }: DeliveryInput): string | undefined {
    const { handsets } = this.#parts;
    if (times === undefined || this.#partOfHandsets(of) !== undefined) return undefined;
    return `'times' counts the requests of ${selectorText(of, handsets.groups)}, which is in several parts`;
  }

  /** Handsets text or call the selected people who are at home there; if there are none, any selected people. */
  #fromHandsets(handsets: Selector, people: PeopleChoice): string | undefined {
    if ("phone" in people) return homeless(people.phone);
    const parts = this.#parts;
    const meant = parts.people.select(people);
    const sole = this.#solePartOf(meant, (place) => parts.ofPerson(place));
    const senders = parts.handsets.select(handsets);
    for (let index = 0; index < senders.count; index++) {
      const handset = senders.at(index);
      if (parts.homes.hasResidents(handset, meant) || parts.ofHandset(handset) === sole) continue;
      return (
        `none of ${selectorText(people, parts.people.groups)} is at home at ${parts.handsets.nameAt(handset)}, in part ` +
        `${parts.ofHandset(handset)}, so it would be a person of any part`
      );
    }
    return undefined;
  }

  /** The part of all members; undefined when they are in several parts. */
  #solePartOf(selection: RosterSelection, partOf: (place: number) => number): number | undefined {
    if (selection.count === 0) return undefined;
    const first = partOf(selection.at(0));
    for (let index = 1; index < selection.count; index++) {
      if (partOf(selection.at(index)) !== first) return undefined;
    }
    return first;
  }
}

function homeless(phone: string): string {
  return `${phone} is a number, and a number has no home handset`;
}
