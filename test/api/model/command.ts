import * as fc from "fast-check";
import { expect } from "vitest";
import type { TestService } from "../support.js";
import type { Api, Reply, Row } from "./api.js";
import type { Moments } from "./look.js";
import { byUuidOrName, type GroupModel, type Model } from "./model.js";

/** The service, and what the looks at it remember. */
export interface Real {
  readonly api: Api;
  readonly service: Pick<TestService, "text">;
  readonly moments: Moments;
}

export type Command = fc.AsyncCommand<Model, Real>;

/** Does one thing with the service and with the model, and compares what came of it. */
export type Play = (model: Model, real: Real) => Promise<void>;

/** @param draft - what it does, for the report of a failure */
export function command(
  name: string,
  draft: unknown,
  play: Play,
  check: (model: Model) => boolean = () => true,
): Command {
  return { check, run: play, toString: () => `${name} ${JSON.stringify(draft)}` };
}

/** A record that nobody has. */
export const STRANGER = "00000000-0000-4000-8000-000000000000";

/** Which one of a list is meant; see `pick` and `pickLiving`. */
export const index: fc.Arbitrary<number> = fc.nat(30);

/** From this index on `pickLiving` takes the dead for living. */
const ANY_FROM = 28;

export function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % list.length];
}

/** Mostly one that is still there, so that much happens; now and then any. */
export function pickLiving<T>(list: readonly T[], at: number, isLiving: (one: T) => boolean): T | undefined {
  return pick(at >= ANY_FROM ? list : list.filter(isLiving), at);
}

/** Mostly what is allowed; now and then something else. */
export function mostly<T>(good: readonly T[], bad: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

/** A reference to a group or label: which one, and how it is written. */
export interface Reference {
  readonly index: number;
  readonly how: "uuid" | "name" | "NAME" | "stranger";
}

export const reference: fc.Arbitrary<Reference> = fc.record({
  index,
  how: mostly<Reference["how"]>(["uuid", "name", "NAME"], ["stranger"]),
});

/** A reference as it is written in a body, and what it means. */
export interface Written {
  readonly text: string;
  /** Undefined: nothing. */
  readonly meant: GroupModel | undefined;
}

export function write(of: ReadonlyMap<string, GroupModel>, { index, how }: Reference): Written {
  const found = pick([...of.values()], index);
  if (found === undefined || how === "stranger") return { text: "nobody knows", meant: undefined };
  const text = { uuid: found.uuid, name: found.name, NAME: found.name.toUpperCase() }[how];
  return { text, meant: byUuidOrName(of, text) };
}

/** Expects a 400 that names just these fields. */
export function expectFaults({ status, body }: Reply, faults: ReadonlySet<string>): void {
  expect(status).toBe(400);
  expect(new Set(Object.keys(body as Row))).toEqual(faults);
}

/** Expects the answer to a deletion or a bulk action. */
export function expectDone(reply: Reply): void {
  expect(reply).toEqual({ status: 204, body: undefined });
}

export function uuidIn({ body }: Reply): string {
  return String((body as Row)["uuid"]);
}
