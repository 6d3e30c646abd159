import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFailureCondition } from "../../src/expect/index.js";
import { type Minimised, minimiseRequests, renderMinimised, writeBugs } from "../../src/study/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type Bug, buggyReceiver, plantedDay, writeDay } from "./planted-bugs.js";

async function minimise(
  lines: Parameters<typeof writeDay>[0],
  bug: Bug,
  options: { readonly trials?: number; readonly timeLimitMs?: number } = {},
): Promise<Minimised> {
  const { url } = await buggyReceiver(bug);
  const read = readFailureCondition(["status 500"]);
  if (!("condition" in read)) throw new Error("no condition");
  return minimiseRequests({
    path: writeDay(lines),
    receiver: url,
    reset: "POST /reset",
    condition: read.condition,
    timeLimitMs: 600_000,
    ...options,
  });
}

/** A text "fire" fails after an "arm" of anybody; "menu" fails with 503 after a "stock" of the same person. */
const twoBugs: Bug = ({ phone = "", text = "" }, state) => {
  if (text === "arm") state.set("armed", true);
  if (text === "stock") state.set(phone, true);
  if (text === "menu please" && state.has(phone)) return { status: 503 };
  return text === "fire" && state.has("armed") ? "fails" : undefined;
};

const phone = "+250788999999";
const day = plantedDay(120, [
  [0.1, { event: "mo_sms", phone, text: "stock" }],
  [0.3, { event: "mo_sms", text: "arm" }],
  [0.5, { event: "mo_sms", phone, text: "menu please" }],
  [0.9, { event: "mo_sms", text: "fire" }],
]);

test("another failure that is met on the way is minimised after the one that was asked for, and has a small bug file", async () => {
  const result = await minimise(day, twoBugs);
  expect(result).toMatchObject({ oneMinimal: true, condition: "status 500", after: { events: 2 } });
  expect(result.others).toMatchObject([{ condition: "status 503 of mo_sms", events: 2, oneMinimal: true }]);
  const file = join(temporaryFolder(), "fire.bug.yaml");
  const written = writeBugs(result, { file, overwrite: false, seed: 1, timeoutMs: 5000 });
  const other = readFileSync(written.others[0]?.bug ?? "", "utf8");
  expect(other).toContain("stock");
  expect(other.match(/event: mo_sms/g)).toHaveLength(2);
  const text = renderMinimised(written, { colour: false, width: 400, next: [] });
  expect(text).toMatch(/others +status 503 of mo_sms was met, too: 2 events show it: .*other-1\.bug\.yaml/);
});

test("where no trials are left for another failure, it stays as it was met, and the output says so", async () => {
  const { trials } = await minimise(day, twoBugs);
  const result = await minimise(day, twoBugs, { trials: Math.min(trials, 12) });
  const [other] = result.others;
  expect(other).toMatchObject({ condition: "status 503 of mo_sms", oneMinimal: false });
  const text = renderMinimised(result, { colour: false, width: 400, next: [] });
  expect(text).toMatch(/after \d+ events, which were not minimised: --while 'status 503 of mo_sms'/);
});

test("another failure with the status that was asked for differs by its answer", async () => {
  // The menu fails with the same status and another answer where hardly an event comes before it, as in a small trial.
  const bug: Bug = ({ text = "" }, state) => {
    const count = Number(state.get("count") ?? 0) + 1;
    state.set("count", count);
    if (text === "menu please" && count < 20) return { status: 500 };
    if (text === "arm") state.set("armed", true);
    return text === "fire" && state.has("armed") ? "fails" : undefined;
  };
  const result = await minimise(day, bug);
  expect(result.events.map(({ body }) => new URLSearchParams(body).get("text"))).toEqual(["arm", "fire"]);
  expect(result.others).toMatchObject([{ condition: "status 500 of mo_sms", events: 1, oneMinimal: true }]);
});

test("an input that passed by chance before the failure was known to be flaky is tried again", async () => {
  // The first play fails; the first try of the person's two events passes by chance.
  let plays = 0;
  const bug: Bug = ({ phone: of = "", text = "" }, state) => {
    if (of !== phone) return undefined;
    if (text === "vote a") state.set(of, true);
    if (text !== "vote b" || !state.has(of)) return undefined;
    plays++;
    return plays === 2 || plays % 4 === 0 ? undefined : "fails";
  };
  const result = await minimise(
    plantedDay(80, [
      [0.2, { event: "mo_sms", phone, text: "please send someone" }],
      [0.4, { event: "mo_sms", phone, text: "vote a" }],
      [0.6, { event: "mo_sms", phone, text: "vote b" }],
    ]),
    bug,
  );
  expect(result.events.map(({ body }) => new URLSearchParams(body).get("text"))).toEqual(["vote a", "vote b"]);
  expect(result.failed).toBeLessThan(result.of);
});
