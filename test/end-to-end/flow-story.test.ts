import { describe, expect, it } from "vitest";
import { farmAccount, farmScenario, playFarm, uuidOf } from "./flow-samples.js";
import { serving } from "./served.js";

const cast = `lasts: 2h
receiver: none
data: account.yaml
handsets: { clinic: { count: 2, phone: "+25078800000{0}" } }
people: { farmers: { count: 4, phone: "+2507811000{00}", name: { pick: [Ann, Ben] } } }
`;

/** An account with a flow of as many messages, each with an expression that fails. */
function sumsAccount(count: number): string {
  const actions = Array.from({ length: count }, (_, index) => ({
    type: "send_msg",
    uuid: uuidOf(5010 + index),
    text: `@(1 / 0 + ${index})`,
  }));
  const nodes = [{ uuid: uuidOf(5001), actions, exits: [{ uuid: uuidOf(5002), destination_uuid: null }] }];
  const definition = { uuid: uuidOf(5000), name: "Sums", type: "messaging", spec_version: "13.1.0", language: "eng" };
  return `account: { name: Sums }\nflows: [{ definition: ${JSON.stringify({ ...definition, nodes })} }]\n`;
}

describe("a flow of the account", () => {
  it("starts by the story, asks, and saves what people answer", async () => {
    const { result, exitCode } = await playFarm(`${cast}story:
  - { at: 1m, flow: { person: farmers/1, flow: registration, of: clinic/1, extra: { who: Ann } } }
  - { at: 1m, expect: { person: farmers/1, hears: "How old are you, Ann?", within: 2m } }
  - { at: 5m, expect: { person: farmers/1, result: Age } }
  - { at: 5m, text: { from: farmers/1, to: clinic, body: a few } }
  - { at: 10m, expect: { person: farmers/1, result: Age, category: Other } }
  - { at: 10m, text: { from: farmers/1, to: clinic, body: I am 45 } }
  - { at: 10m, expect: { person: farmers/1, result: Age, is: 45, category: Adult, flow: Registration, within: 2m } }
  - { at: 15m, text: { from: farmers/1, to: clinic, body: yebo } }
  - { at: 15m, expect: { group: Farmers, contains: farmers/1, within: 2m } }
  - { at: 15m, expect: { person: farmers/1, hears: 45-year-old farmer, within: 5m } }
  - { at: 20m, expect: { group: Farmers, lacks: farmers/0 } }
`);
    expect(result.expectations.map(({ text, held, seen }) => [text.slice(0, 40), held, seen])).toEqual(
      result.expectations.map(({ text }, index) => [text.slice(0, 40), index !== 1, expect.any(String)]),
    );
    expect(result.expectations[1]?.seen).toBe("farmers/1 never answered: there is no result Age");
    expect(result.problems).toEqual([]);
    expect(exitCode).toBe(1);
  });

  it("starts by its UUID, for several people, who become contacts", async () => {
    const { result } = await playFarm(`${cast}story:
  - { at: 1m, flow: { person: farmers/0..2, flow: ${uuidOf(1).toUpperCase()} } }
  - { at: 1m, flow: { person: +250788999999, flow: Registration } }
  - { at: 5m, expect: { person: farmers/0..2, hears: How old, count: 1 } }
  - { at: 5m, expect: { person: +250788999999, hears: How old } }
  - { at: 5m, expect: { person: farmers/3, hears: How old, at-most: 0 } }
`);
    expect(result.expectations.map(({ held }) => held)).toEqual([true, true, true]);
  });

  it("that is unknown or cannot start is a problem of the run, at its line", async () => {
    const account = `${farmAccount}contacts: { Ann: { phone: "+250781100000", state: blocked } }\n`;
    const { result, exitCode } = await playFarm(
      `${cast}story:
  - { at: 1m, flow: { person: farmers/1, flow: Registraton } }
  - { at: 1m, flow: { person: farmers, flow: Registration } }
`,
      {},
      account,
    );
    expect(exitCode).toBe(1);
    expect(result.problems.map((problem) => problem.replace(/^.*day.yaml/, "day.yaml"))).toEqual([
      "day.yaml:7: there is no flow 'Registraton'; there are: Registration",
      "day.yaml:8: flow 'Registration' is not started for farmers/0: the contact is blocked",
    ]);
  });

  it("that cannot do something is a warning of the result, each problem once, the first of many", async () => {
    const { result, exitCode } = await playFarm(
      `${cast}story: [{ at: 1m, flow: { person: farmers, flow: Sums } }]\n`,
      {},
      sumsAccount(8),
    );
    expect(exitCode).toBe(0);
    expect(result.warnings).toHaveLength(5);
    expect(result.warnings?.[0]).toBe(
      "flow 'Sums': error evaluating @(1 / 0 + 0): division by zero (4 times, 4 people)",
    );
    expect(result.warnings?.[4]).toMatch(/^\d+ more problems of flows: table note of the recording$/);
  });

  it("that cannot do something is in the live log of a served lab", async () => {
    const lab = await serving({ scenario: farmScenario(cast, sumsAccount(1)).scenario, receiver: "none" });
    const notes: string[] = [];
    lab.served.follow((happening) => {
      if (happening.kind === "note") notes.push(`${happening.word}: ${happening.text}`);
    });
    await lab.lab.done("POST", "/do/flow", { person: "farmers/2", flow: "Sums" });
    await lab.step("1m");
    expect(notes).toContain("flow-error: flow 'Sums': error evaluating @(1 / 0 + 0): division by zero");
  });

  it("starts by hand, and an unknown one is an error", async () => {
    const lab = await serving({ scenario: farmScenario(cast).scenario, receiver: "none" });
    await lab.lab.done("POST", "/do/flow", { person: "farmers/2", flow: "Registration", extra: { who: 7 } });
    await lab.step("5m");
    const messages = await lab.api.all("messages.json?folder=sent");
    expect(messages.map(({ text }: { text: string }) => text)).toContain("How old are you, 7?");
    const refused = await lab.lab.post("/do/flow", { person: "farmers/2", flow: "Harvest" });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ flow: ["there is no flow 'Harvest'; there are: Registration"] });
  });
});
