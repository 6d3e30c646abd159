import { expect, it } from "vitest";
import { beatsOf, readHand } from "../../src/scenario/index.js";
import { base, sound } from "./help.js";

it("the beats of a story come in order of time, with their words", () => {
  const { story } = sound(
    base(`story:
  - { at: 30m, beat: { name: Power cut, about: Two villages lose their mains } }
  - { at: 30m, power: { of: clinic/0..3, mains: off } }
  - { at: 10m, beat: { name: Morning rush } }
`),
  );
  expect(beatsOf(story)).toEqual([
    { name: "Morning rush", atMs: 600_000 },
    { name: "Power cut", about: "Two villages lose their mains", atMs: 1_800_000 },
  ]);
  expect(story.map(({ input }) => (input.to === "log" ? input.text : ""))).toEqual([
    "Morning rush",
    "Power cut: Two villages lose their mains",
    "",
  ]);
});

it("the bundled receiver's answers are those of the scenario", () => {
  expect(sound(base("receiver: { answers: reply }\n")).receiver).toMatchObject({
    url: "bundled",
    answers: { answers: "reply" },
  });
  expect(sound(base("receiver: { answers: 503 }\n")).receiver?.answers).toEqual({ answers: "status", status: 503 });
  expect(sound(base("receiver: bundled\n")).receiver?.answers).toBeUndefined();
});

it("a beat is read by hand as in a story", () => {
  const { cast } = sound(base());
  expect(readHand("beat", { name: "Now" }, cast).input).toEqual({ to: "log", text: "Now", beat: { name: "Now" } });
});
