import { expect, it } from "vitest";
import { Answers } from "../support/answers.js";
import { clock, handset, play } from "./play.js";

it("D7: a delivery is reported before the sending, or without it", async () => {
  const played = await play(`
lasts: 11m
handsets: { clinic: ${handset(2017)} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m2s, pause: { of: clinic, for: 3s } }
`);
  // The radio's callback of 0:10:03 came during the pause.
  expect(played.told()).toEqual(["0:10:10 mt_dlvd hello"]);
});

it("D10: a text that the carrier delivers twice is reported twice", async () => {
  const played = await play(`
service: rapidpro-2016
lasts: 1h
carriers: { mtn: { delay: 2s..20s } }
story:
  - { at: 10m, carrier: { of: clinic, duplicates: texts } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
`);
  expect(played.told()).toEqual(["0:10:13 mo_sms hello", "0:10:14 mo_sms hello"]);
  expect(played.events[1]?.copy?.cause).toBe("carrier");
});

it("D11: of two equal texts within a second one is dropped", async () => {
  const played = await play(`
service: rapidpro-2016
lasts: 1h
story:
  - { at: 10m, text: { from: ada, to: clinic, body: yes } }
  - { at: 600500ms, text: { from: ada, to: clinic, body: yes } }
  - { at: 10m1s, text: { from: ada, to: clinic, body: yes } }
`);
  expect(played.told()).toEqual(["0:10:02 mo_sms yes", "0:10:03 mo_sms yes"]);
  expect(played.ledger.texts.lost).toEqual({ deduplicated: 1 });
});

it("D14: an answer after the timeout brings the event again", async () => {
  const story = `
lasts: 1h
story:
  - { at: 1m, receiver: { answers: hang, for: 543s } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
`;
  const { events } = await play(story, { receiver: new Answers() });
  const attempts = events.map((event) => event.attempts.map(({ outcome, dueAtMs }) => `${clock(dueAtMs)} ${outcome}`));
  expect(attempts).toEqual([["0:10:02 timeout", "0:15:02 accepted"]]);
});
