import { expect, it } from "vitest";
import { audienceFacts, lossWords, reasonWords, stateSentence } from "../../../src/console/page/phone/words.js";
import { delayReasons, losingTroubles, lossCauses } from "../../../src/wire/index.js";

const standing = {
  power: { on: true, restarting: false, charging: true },
  blocked_by: null,
  data_link: "LTE",
  sync: { last: { failed_by: null } },
} as Parameters<typeof stateSentence>[0];

it.each([
  ["It relays over LTE.", {}],
  ["It relays over LTE.", { sync: { last: null } }],
  [
    "Its last sync failed, because the phone's clock is too wrong for the service: nothing is relayed since.",
    { sync: { last: { failed_by: "clock-off" } } },
  ],
  ["The app is paused: nothing is relayed, and texts that arrive during the pause are lost.", { blocked_by: "paused" }],
  ["The phone has no data network: nothing is relayed.", { blocked_by: "no-network" }],
])("a handset's sentence: %s", (words, changed) => {
  expect(stateSentence({ ...standing, ...changed })).toBe(words);
});

/** Causes of events and attempts, which no phone shows. */
const ofService: readonly string[] = ["no-receiver", "not-forwarded", "taken-back", "withdrawn", ...losingTroubles];

it("each cause of a lost text or call and each reason of a delay has words", () => {
  const causes = Object.keys(lossCauses).filter((cause) => !ofService.includes(cause));
  expect(causes.filter((cause) => lossWords(cause) === `It was lost: ${cause}.`)).toEqual([]);
  expect(delayReasons.filter((reason) => reasonWords(reason) === reason)).toEqual([]);
});

it("an audience reads names and values without codes", () => {
  const dark = {
    power: { ...standing.power, level: 97.6, solar_per_hour: 0 },
    data_link: "none",
    conditions: { mains: true, power_cut: true },
    reports: { count: 3, waiting: [] },
    outbox: { pending: 1, retry: 1 },
    at_service: { count: 2, messages: [] },
    service: { alarms: ["silent"] },
  } as unknown as Parameters<typeof audienceFacts>[0];
  expect(Object.fromEntries(audienceFacts(dark))).toEqual({
    Battery: "98%, on its battery",
    Network: "No connection",
    "Waits for the service": "3 texts and reports",
    "Waits for people": "4 messages",
    Alarm: "The service has noticed that something is wrong",
  });
  const fine = { ...dark, data_link: "LTE", conditions: { ...dark.conditions, power_cut: false } };
  expect(audienceFacts(fine).slice(0, 2)).toEqual([
    ["Battery", "98%, plugged in"],
    ["Network", "Connected"],
  ]);
});
