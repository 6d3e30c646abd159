import { expect, it } from "vitest";
import { openRecording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { join } from "node:path";
import { play } from "./support.js";

it("a body counts the texts of each sender, in traffic and in a step that recurs", async () => {
  const recording = join(temporaryFolder(), "run.db");
  await play(
    `
name: Counting
lasts: 4h
receiver: none
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { count: 2, phone: "+2507811{00000}" } }
traffic:
  - { texts: { from: farmers, to: clinic, body: "report {n} of {n}" }, rate: 6/h, arrivals: even, until: 2h }
story:
  - { at: 2h, every: 30m, times: 3, text: { from: farmers/1, to: clinic, body: "step {n}" } }
  - { at: 2h, every: 30m, times: 3, send: { via: clinic, to: farmers/1, body: "answer {n}" } }
`,
    { recording },
  );
  const reader = openRecording(recording);
  const texts = [...reader.events()]
    .filter(({ type }) => type === "mo_sms")
    .map(({ body }) => new URLSearchParams(body))
    .map((form) => [form.get("phone"), form.get("text")]);
  const messages = [...reader.messages()].map(({ text }) => text);
  reader.close();
  const of = (phone: string): string[] =>
    texts.flatMap(([from, text]) => (from === phone ? [text ?? ""] : [])).toSorted();
  expect(of("+250781100000")).toEqual([1, 2, 3, 4, 5, 6].map((n) => `report ${n} of ${n}`));
  expect(of("+250781100001")).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((n) => `report ${n} of ${n}`),
    ...[1, 2, 3].map((n) => `step ${n}`),
  ]);
  expect(messages.filter((text) => text.startsWith("answer")).toSorted()).toEqual(["answer 1", "answer 2", "answer 3"]);
});
