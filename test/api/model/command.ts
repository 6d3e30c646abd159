import * as fc from "fast-check";
import { expect } from "vitest";
import type { TestService } from "../support.js";
import type { Api, Reply, Row } from "./api.js";
import type { Moments } from "./compare.js";
import { byUuidOrName, type GroupModel, type Model } from "./model.js";

/** The service, and the state that comparisons keep. */
export interface Real {
  readonly api: Api;
  readonly service: Pick<TestService, "text">;
  readonly moments: Moments;
}

export type Command = fc.AsyncCommand<Model, Real>;

/** Applies one command to the service and the model, and compares the results. */
export type Play = (model: Model, real: Real) => Promise<void>;

/** @param draft - the command, for the report of a failure */
export function command(
  name: string,
  draft: unknown,
  play: Play,
  check: (model: Model) => boolean = () => true,
): Command {
  return { check, run: play, toString: () => `${name} ${JSON.stringify(draft)}` };
}

/** The UUID of a record that does not exist. */
export const STRANGER = "00000000-0000-4000-8000-000000000000";

/** Selects one item of a list; see `pick` and `pickLiving`. */
export const index: fc.Arbitrary<number> = fc.nat(30);

/** From this index on `pickLiving` also selects deleted items. */
const ANY_FROM = 28;

export function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % list.length];
}

/** Mostly an item that still exists, so that most commands have an effect; sometimes any. */
export function pickLiving<T>(list: readonly T[], at: number, isLiving: (one: T) => boolean): T | undefined {
  return pick(at >= ANY_FROM ? list : list.filter(isLiving), at);
}

/** Mostly an allowed value; sometimes another one. */
export function mostly<T>(good: readonly T[], bad: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

/** A reference to a group or label: its index, and its spelling. */
export interface Reference {
  readonly index: number;
  readonly how: "uuid" | "name" | "NAME" | "stranger";
}

export const reference: fc.Arbitrary<Reference> = fc.record({
  index,
  how: mostly<Reference["how"]>(["uuid", "name", "NAME"], ["stranger"]),
});

/** A reference in a body, and the record that it names. */
export interface Written {
  readonly text: string;
  /** Undefined: no record. */
  readonly meant: GroupModel | undefined;
}

export function write(of: ReadonlyMap<string, GroupModel>, { index, how }: Reference): Written {
  const found = pick([...of.values()], index);
  if (found === undefined || how === "stranger") return { text: "nobody knows", meant: undefined };
  const text = { uuid: found.uuid, name: found.name, NAME: found.name.toUpperCase() }[how];
  return { text, meant: byUuidOrName(of, text) };
}

/** Expects a 400 that names exactly these fields. */
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
