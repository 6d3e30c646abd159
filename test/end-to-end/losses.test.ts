import { expect, it } from "vitest";
import { parseScenario } from "../../src/index.js";
import { parse, play } from "./support.js";

/** The carrier loses each text. */
const scenario = `
name: Losses
seed: 5
starts: 2026-03-04T09:00:00.000Z
lasts: 1h
carriers: { net: { loses: 100% } }
handsets: { farm: { phone: "+250788000800", carrier: net } }
people: { workers: { phone: "+250782000000", of: farm } }
story:
  - { at: 10m, text: { from: workers, to: farm, body: "12 bags" } }
`;

it("texts.lost counts lost texts, of all causes or one, where ledger.gap counts none", async () => {
  const lines = [
    "texts.lost == 1",
    "texts.lost.carrier == 1",
    "texts.lost.expired == 0",
    "calls.lost == 0",
    "lost == 0",
  ];
  const { result } = await play(`${scenario}expect: [${lines.join(", ")}]`, { receiver: "none" });
  expect(result.expectations.map(({ text, held, seen }) => [text, held, seen])).toEqual(
    lines.map((line) => [line, true, line.at(-1)]),
  );
  const broken = await play(`${scenario}expect: [texts.lost == 0]`, { receiver: "none" });
  expect(broken.result.expectations).toMatchObject([{ held: false, seen: "1" }]);
});

it("an unknown cause is no metric", () => {
  expect(() => parse(`${scenario}expect: [texts.lost.carriers == 0]`)).toThrow(
    "names no metric: 'texts.lost.carriers'",
  );
});

it("the former name `lost` gets a warning that names the metrics of losses", () => {
  const { scenario: parsed, diagnostics } = parseScenario(`${scenario}expect: [lost == 0]`, {
    file: "day.yaml",
    nowMs: 0,
  });
  expect(parsed).toBeDefined();
  expect(diagnostics).toMatchObject([{ severity: "warning", code: "old-name" }]);
  expect(diagnostics[0]?.hint).toContain("texts.lost");
});
