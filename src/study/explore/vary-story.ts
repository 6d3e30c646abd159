import { parseDuration, type WrittenTree } from "../../scenario/index.js";
import type { Stream } from "../../sim/index.js";
import { drawCause, drawText, type Focus } from "./causes.js";
import type { StoryCast } from "./story-cast.js";
import { addedSteps, type AddedStep, ownSteps, type Story } from "./story.js";

/** Stories with more changes are not made longer. */
const STORY_MAX = 16;

/** How far apart causes are that are meant to coincide: seconds. */
const reaches: readonly number[] = [5, 60, 600, 3600];

/** Days at which calendars and clocks fail: see docs/audit.md. */
const hardDays: readonly string[] = [
  "2028-02-29T08:00:00Z",
  "2026-01-31T23:30:00Z",
  "2026-12-31T23:30:00Z",
  "2026-03-29T00:30:00Z",
  "2026-10-25T00:30:00Z",
  "2038-01-19T03:00:00Z",
];

/** The ways of one change, each with its share in percent. */
const ways = [
  { name: "added", share: 58 },
  { name: "retimed", share: 10 },
  { name: "repeated", share: 8 },
  { name: "removed", share: 7 },
  { name: "reworded", share: 6 },
  { name: "joined", share: 6 },
  { name: "moved", share: 3 },
  { name: "starts", share: 2 },
] as const;

type WayName = (typeof ways)[number]["name"];

/** Varies stories of one scenario. */
export class StoryVariation {
  readonly #draw: Stream;
  readonly #cast: StoryCast;
  /** Instants of the scenario's own steps that can be moved, by their index. */
  readonly #own: ReadonlyMap<number, number>;
  /** Instants of all own steps with one, for causes that coincide with them. */
  readonly #anchors: readonly AddedStep[];

  constructor(tree: WrittenTree, cast: StoryCast, draw: Stream) {
    this.#draw = draw;
    this.#cast = cast;
    const timed = ownSteps(tree).flatMap((step, place) => {
      const atMs = typeof step["at"] === "string" ? parseDuration(step["at"]) : undefined;
      return atMs === undefined ? [] : [{ step, place, atMs }];
    });
    const isJudging = ({ step }: { readonly step: object }): boolean => "expect" in step || "check" in step;
    this.#own = new Map(timed.filter((one) => !isJudging(one)).map(({ place, atMs }) => [place, atMs]));
    this.#anchors = timed.map(({ step, atMs }) => {
      const verb = Object.keys(step).find((key) => key !== "at") ?? "";
      const args = step[verb];
      return {
        kind: "added",
        atMs,
        verb,
        args: typeof args === "object" && args !== null ? (args as AddedStep["args"]) : {},
      };
    });
  }

  /**
   * A story with some more changes.
   *
   * @param other - a story that may be joined with it
   */
  vary(story: Story, changes: number, other: () => Story | undefined): Story {
    let varied = story;
    for (let change = 0; change < changes; change++) varied = this.#varyOnce(varied, other);
    return varied;
  }

  #varyOnce(story: Story, other: () => Story | undefined): Story {
    if (story.length >= STORY_MAX) return this.#removed(story) ?? story;
    let left = this.#draw.int(1, 100);
    const way = ways.find(({ share }) => (left -= share) <= 0)?.name ?? "added";
    return this.#varied(way, story, other) ?? this.#added(story);
  }

  /** Undefined: there is no step that can be varied in this way. */
  #varied(way: WayName, story: Story, other: () => Story | undefined): Story | undefined {
    switch (way) {
      case "added":
        return this.#added(story);
      case "removed":
        return this.#removed(story);
      case "retimed":
        return this.#changed(story, addedSteps(story), (step) => ({ ...step, atMs: this.#near(step.atMs) }));
      case "reworded":
        return this.#reworded(story);
      case "repeated":
        return this.#repeated(story);
      case "moved":
        return this.#moved(story);
      case "starts":
        return [...story, { kind: "starts", at: this.#draw.pick(hardDays) }];
      case "joined":
        return [...story, ...(other() ?? []).filter((change) => !story.includes(change))].slice(0, STORY_MAX);
      default:
        return way satisfies never;
    }
  }

  #added(story: Story): Story {
    const steps = addedSteps(story);
    const causes = drawCause(this.#focus(steps), this.#draw, this.#cast);
    const atMs = this.#instant(steps);
    return [...story, ...causes.map((cause): AddedStep => ({ kind: "added", ...cause, atMs }))];
  }

  #removed(story: Story): Story | undefined {
    if (story.length === 0) return undefined;
    const gone = this.#draw.int(0, story.length - 1);
    return story.filter((_, place) => place !== gone);
  }

  /** With another step in place of one of some. */
  #changed(story: Story, some: readonly AddedStep[], change: (step: AddedStep) => AddedStep): Story | undefined {
    if (some.length === 0) return undefined;
    const picked = this.#draw.pick(some);
    return story.map((one) => (one === picked ? change(picked) : one));
  }

  #reworded(story: Story): Story | undefined {
    const texts = addedSteps(story).filter(({ args }) => "body" in args);
    return this.#changed(story, texts, ({ args, ...step }) => ({
      ...step,
      args: { ...args, body: drawText(this.#draw, this.#cast) },
    }));
  }

  /** With a step once more, later. */
  #repeated(story: Story): Story | undefined {
    const steps = addedSteps(story);
    if (steps.length === 0) return undefined;
    const step = this.#draw.pick(steps);
    return [...story, { ...step, atMs: this.#later(step.atMs) }];
  }

  /** With a step of the scenario at another instant. */
  #moved(story: Story): Story | undefined {
    const places = [...this.#own.keys()];
    if (places.length === 0) return undefined;
    const place = this.#draw.pick(places);
    return [...story, { kind: "moved", place, atMs: this.#near(this.#own.get(place) ?? 0) }];
  }

  /** Mostly the person and handset of a step that is there: causes meet there. */
  #focus(steps: readonly AddedStep[]): Focus | undefined {
    const draw = this.#draw;
    const { people, handsets } = this.#cast;
    const [anyPerson] = people;
    if (anyPerson === undefined) return undefined;
    const from = draw.chance(0.75) ? this.#anchor(steps) : undefined;
    const named = Object.values(from?.args ?? {});
    return {
      person: named.find((one) => people.includes(one)) ?? draw.pick(people),
      handset: named.find((one) => handsets.includes(one)) ?? draw.pick(handsets),
    };
  }

  /** Mostly soon after a step that is there, since what a receiver remembers comes before what fails by it. */
  #instant(steps: readonly AddedStep[]): number {
    const anchor = this.#anchor(steps);
    if (anchor === undefined || this.#draw.chance(0.1)) {
      return 1000 * this.#draw.int(1, Math.max(1, Math.floor(this.#cast.lastsMs / 1000) - 1));
    }
    return this.#draw.chance(0.7) ? this.#later(anchor.atMs) : this.#near(anchor.atMs);
  }

  /** An added step, mostly the last; of a story without any, a step of the scenario. */
  #anchor(steps: readonly AddedStep[]): AddedStep | undefined {
    const draw = this.#draw;
    if (steps.length > 0)
      return draw.chance(0.6) ? steps.reduce((a, b) => (b.atMs > a.atMs ? b : a)) : draw.pick(steps);
    return this.#anchors.length === 0 ? undefined : draw.pick(this.#anchors);
  }

  #later(ms: number): number {
    return this.#within(ms + 1000 * this.#draw.int(1, this.#draw.pick(reaches)));
  }

  #near(ms: number): number {
    const reach = this.#draw.pick(reaches);
    return this.#within(ms + 1000 * this.#draw.int(-reach, reach));
  }

  #within(ms: number): number {
    return Math.min(Math.max(0, ms), Math.max(0, this.#cast.lastsMs - 1000));
  }
}
