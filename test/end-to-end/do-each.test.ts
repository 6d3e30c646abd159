import { expect, it } from "vitest";
import { serving } from "./served.js";
import { parse } from "./support.js";

const text = `starts: 2026-03-04T06:00:00.000Z
lasts: 3h
handsets: { clinic: { count: 20, phone: "+2507880000{00}" }, school: { count: 5, phone: "+2507881000{00}" } }
`;

it("performs a verb for several selectors at one virtual time", async () => {
  const served = await serving({ scenario: parse(text), receiver: "none" });
  const { lab } = served;
  const answer = await lab.done("POST", "/do-each", {
    verb: "battery",
    of: ["clinic/0..2", "clinic/7", "school"],
    args: { level: "9%" },
  });
  expect(answer).toEqual({ at: "2026-03-04T06:00:00.000000Z", done: 3, refused: [] });
  await lab.done("POST", "/do/sync", { of: "clinic", now: true });
  await lab.done("POST", "/do/sync", { of: "school", now: true });
  await served.step("2m");
  const handsets = (await lab.done("GET", "/handsets")) as { selector: string; power_level: number }[];
  const low = handsets.filter(({ power_level: level }) => level < 20).map(({ selector }) => selector);
  expect(low).toEqual(["clinic/0", "clinic/1", "clinic/2", "clinic/7", ...[0, 1, 2, 3, 4].map((n) => `school/${n}`)]);
});

it("says for which selectors it was refused, and refuses the request when nothing was done", async () => {
  const { lab } = await serving({ scenario: parse(text), receiver: "none" });
  const some = await lab.done("POST", "/do-each", { verb: "reboot", of: ["clinic/0", "clinc/1", "clinic/99"] });
  expect(some).toMatchObject({ done: 1, refused: [{ of: "clinc/1" }, { of: "clinic/99" }] });
  const check = async (body: object, expected: object): Promise<void> => {
    expect(await lab.post("/do-each", body)).toMatchObject({ status: 400, body: expected });
  };
  await check({ verb: "reboot", of: ["clinc"] }, { of: [expect.stringContaining("clinic")] });
  await check({ verb: "rebot", of: ["clinic"] }, { detail: expect.stringContaining("'rebot' is no verb") });
  await check({ verb: "reboot", of: [] }, { of: ["This list may not be empty."] });
  await check({ verb: "reboot", of: "clinic" }, { of: ["Must be a list of selectors."] });
  const many = Array.from({ length: 501 }, () => "clinic");
  await check({ verb: "reboot", of: many }, { of: ["Ensure this list has at most 500 selectors, got 501."] });
});
