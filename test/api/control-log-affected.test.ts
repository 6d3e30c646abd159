import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/index.js";
import { Client } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";

const LAB_TOKEN = "a-token-of-the-lab";
const outage = `
name: Late
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 2h
handsets:
  hills: { count: 1, phone: "+2507881{00000}", network: LTE, mains: on }
people:
  herders: { count: 2, of: hills, phone: "+2507833{00000}" }
story:
  - { at: 10m, text: { from: herders/0, to: hills, body: early } }
  - { at: 15m, network: { of: hills, type: none, for: 30m } }
  - { at: 20m, text: { from: herders/0, to: hills, body: held } }
`;

it("the log lists the events with which something is wrong, as handset events does, also those that come later", async () => {
  const served = await serve({ scenario: parse(outage), isPaused: true, receiver: "bundled", labToken: LAB_TOKEN });
  onTestFinished(() => served.close());
  const lab = new Client(`${served.url}/lab`, LAB_TOKEN);
  const listed = async (affected: string): Promise<readonly string[]> => {
    const { results } = (await lab.done("GET", `/events?brief=true&type=mo_sms&affected=${affected}`)) as {
      results: readonly { readonly id: string }[];
    };
    return results.map(({ id }) => id);
  };
  await lab.done("POST", "/clock", { step: "14m" });
  expect(await listed("late")).toEqual([]);
  await lab.done("POST", "/clock", { step: "45m" });
  await expect.poll(() => listed("late")).toHaveLength(1);
  const [late] = await listed("late");
  const all = (await lab.done("GET", "/events?brief=true&contains=held")) as { results: readonly { id: string }[] };
  expect(all.results.map(({ id }) => id)).toEqual([late]);
  expect(await listed("refused,doubles,late")).toEqual([late]);
  expect(await listed("refused")).toEqual([]);
  await expect(listed("wrong")).rejects.toThrow(
    /affected must be one of doubles, without-effect, reordered, refused, late/,
  );
});
