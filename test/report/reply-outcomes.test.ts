import { expect, it, onTestFinished } from "vitest";
import { resultOf } from "../../src/report/index.js";
import { Recording } from "../../src/store/index.js";
import { attemptRow, channelRow, eventRow, meta } from "../store/samples.js";

const TEXTS = 300;

/** Texts of the findings of a killed run in which no answer was valid JSON. */
function ignoredReplies(answerTo: (number: number) => string): string[] {
  const recording = Recording.create(":memory:", meta);
  onTestFinished(() => recording.close());
  recording.channel(channelRow());
  for (let number = 1; number <= TEXTS; number++) {
    recording.event(eventRow({ row: number, number }));
    recording.attempt(attemptRow({ number, body: new TextEncoder().encode(answerTo(number)) }));
    recording.reply({ atMs: 0, channel: 1, number, kind: "ignored", reason: "not-json", detail: "…" });
  }
  const { findings = [] } = resultOf(recording.reader());
  return findings.filter(({ kind }) => kind === "ignored-replies").map(({ text }) => text);
}

it("the tables count ignored replies exactly, although only the first 200 answers are read", () => {
  const [text] = ignoredReplies(() => "{'phone': '+250788000001', 'text': 'Thanks'}");
  expect(text).toMatch(/^300 of 300 replies were ignored/);
});

it("the share of the answers that were meant as replies counts for those that are not read", () => {
  const [text] = ignoredReplies((number) => (number % 2 === 0 ? "{'phone': '+1', 'text': 'Thanks'}" : "OK"));
  expect(text).toMatch(/^150 of 150 replies were ignored/);
});
