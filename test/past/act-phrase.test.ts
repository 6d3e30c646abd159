import { expect, it } from "vitest";
import { verbs } from "../../src/scenario/verbs/index.js";
import { actPhrase } from "../../src/past/act-phrase.js";
import { type Selector, selectorText } from "../../src/world/index.js";
import { base, sound } from "../scenario/help.js";

const memberOf = (of: Selector): string => selectorText(of);

/** A step, and the phrase for it. */
const cases: readonly (readonly [step: string, phrase: string])[] = [
  ["text: { from: +12025550100, to: clinic/3, body: Is it open? }", "Amina texted clinic/3: “Is it open?”"],
  ["text: { from: farmers/1, to: clinic/3, body: { pick: [a, b] } }", "farmers/1 texted clinic/3"],
  ["call: { from: farmers/7, to: clinic/3, rings: 25s }", "farmers/7 called clinic/3, no answer"],
  ["call: { from: farmers/7, to: clinic/3, ends: answered-elsewhere }", "farmers/7 called clinic/3, answered elsewhere"],
  ["power: { of: clinic/3, mains: usb }", "Mains of clinic/3 on, by USB"],
  ["battery: { of: clinic/3, level: 9%, reports: unknown }", "Battery of clinic/3 at 9 %, with an unknown status"],
  [
    "solar: { of: clinic/3, per-hour: 20%..40%, clouds: 20%..90% }",
    "Solar panel of clinic/3: 20%..40% an hour under a high sun, clouds 20% to 90%",
  ],
  ["solar: { of: clinic/3, state: off }", "Solar panel of clinic/3: off"],
  ["credit: { of: clinic/3, adds: 100 }", "Credit of clinic/3 topped up by 100 units"],
  ["credit: { of: clinic/3, units: 0 }", "Credit of clinic/3 at 0 units"],
  [
    'sim: { of: clinic/3, phone: "+250788700003", credit: 20, slot: 2, sends-with: 2 }',
    "Second SIM of clinic/3: swapped for +250788700003, with 20 units, texts go out from SIM 2",
  ],
  ["sim: { of: clinic/3, state: none, for: 1h }", "SIM of clinic/3: taken out for 1 h"],
  ["call-log: { of: clinic/3, state: read }", "Call log of clinic/3 read by its owner"],
  ["call: { from: clinic/3, to: farmers/7, talks: 2m }", "clinic/3 called farmers/7, answered"],
  ["send: { via: clinic/3, to: +12025550100, body: we are back }", "clinic/3 wrote to Amina: “we are back”"],
  ["power: { of: clinic/3, mains: off, for: 40m }", "Mains of clinic/3 off for 40 min"],
  ["battery: { of: clinic/3, level: 9% }", "Battery of clinic/3 at 9 %"],
  ["network: { of: clinic/3, type: none, for: 1h30m }", "No data network at clinic/3 for 1 h 30 min"],
  ["network: { of: clinic/3, type: none, latency: 1s }", "No data network at clinic/3"],
  ["network: { of: clinic/3, type: EDGE, latency: 800ms, loses: 10% }", "Network of clinic/3: EDGE, 800 ms slow, 10 % of syncs lost"],
  ["network: { of: clinic/3, latency: 1s..3s }", "Network of clinic/3: slow"],
  ["network: { of: clinic/3, portal: true }", "Network of clinic/3: a captive portal"],
  ["network: { of: clinic/3, type: WIFI, second: GPRS }", "Network of clinic/3: WIFI, second link GPRS"],
  ["coverage: { of: clinic/3, state: none, for: 15m }", "No coverage at clinic/3 for 15 min"],
  ["coverage: { of: clinic/3, state: ok }", "Coverage back at clinic/3"],
  ["sms-service: { of: clinic/3, state: radio-off, for: 10m }", "SMS service of clinic/3: radio off for 10 min"],
  ["sms-service: { of: clinic/3, state: ok }", "SMS service of clinic/3: back"],
  ["sms-service: { of: clinic/3, fails: 10%, with: no-service }", "SMS service of clinic/3: 10 % of segments fail, no service"],
  [
    "sms-service: { of: clinic/3, fails: { GPRS: 30%, LTE: 1% } }",
    "SMS service of clinic/3: 30 % on GPRS, 1 % on LTE of segments fail",
  ],
  ["sync: { of: clinic/3, loses: response }", "Next sync response of clinic/3 lost"],
  ["sync: { of: clinic/3, loses: request, times: 4 }", "Next 4 sync requests of clinic/3 lost"],
  ["sync: { of: clinic/3, now: true }", "Sync of clinic/3 at once"],
  ["carrier: { of: clinic/3, loses: texts, times: 2 }", "Next 2 texts to clinic/3 lost"],
  ["carrier: { of: clinic/3, duplicates: messages }", "Next message from clinic/3 twice"],
  ["kill: { of: clinic/3, for: 6h }", "App of clinic/3 killed for 6 h"],
  ["crash: { of: clinic/3, down: 1m }", "App of clinic/3 crashed, down for 1 min"],
  ["crash: { of: clinic/3 }", "App of clinic/3 crashed"],
  ["upgrade: { of: clinic/3 }", "App of clinic/3 upgraded, down for 30 s"],
  ["open: { of: clinic/3 }", "App of clinic/3 opened"],
  ["doze: { of: clinic/3, for: 8h }", "Doze of clinic/3 for 8 h"],
  ["doze: { of: clinic/3, state: off }", "End of Doze of clinic/3"],
  ["permission: { of: clinic/3, lost: sms, for: 2h }", "Permission for texts of clinic/3 lost for 2 h"],
  ["permission: { of: clinic/3, granted: calls }", "Permission for calls of clinic/3 granted"],
  ["service: { of: clinic/3, fails-after: 1, for: 20m }", "Service fails after 1 report, for clinic/3 for 20 min"],
  ["service: { of: clinic/3, poison: /pump/, withholds: true }", "Service fails at some texts, offers no messages, for clinic/3"],
  ["service: { of: clinic/3, poisons-next: true, doubles: true }", "Service fails at the next text, processes each sync twice, for clinic/3"],
  ["service: { of: clinic/3, offers-incoming: true }", "Service sends texts back to their senders, for clinic/3"],
  ["service: { of: clinic/3, offers-to: clinic/2 }", "Service offers the messages to clinic/2, for clinic/3"],
  [
    "delivery: { of: clinic/3, types: [mo_sms], answers-lost: 10%, for: 20m }",
    "On the way to the receiver: 10 % of answers lost, for clinic/3, mo_sms for 20 min",
  ],
  [
    "delivery: { of: clinic/3, delay: 1s..90s, copies: 2, share: 25%, times: 3 }",
    "On the way to the receiver at the next 3 requests: 25 % of requests later by 1 s to 1 min 30 s; 25 % of requests sent 2 times at once, for clinic/3",
  ],
  ["delivery: { of: clinic/3, requests-lost: true, refused: 5% }", "On the way to the receiver: requests lost; 5 % of connections refused, for clinic/3"],
  ["delivery: { of: clinic/3, overtaken-by: 1..5, slow: 100B/s, cut: body }", "On the way to the receiver: events overtaken by 1 to 5; connections cut in the body; requests slow, 100 B/s, for clinic/3"],
  ["delivery: { of: clinic/3, state: ok }", "No more trouble on the way to the receiver for clinic/3"],
  ["service: { of: clinic/3, state: ok }", "Service works again for clinic/3"],
  ["clock: { of: clinic/3, skew: 10m }", "Clock of clinic/3 10 min ahead"],
  ["clock: { of: clinic/3, skew: -2d }", "Clock of clinic/3 2 d behind"],
  ["clock: { of: clinic/3, skew: 10m, for: 2h }", "Clock of clinic/3 10 min ahead for 2 h"],
  ["clock: { of: clinic/3, skew: 0s }", "Clock of clinic/3 right again"],
  ["power-cut: { of: clinic/3, for: 40m }", "Power cut at clinic/3 for 40 min"],
  ["power-cut: { of: clinic/3, state: off }", "End of power cut at clinic/3"],
  ["mast: { of: clinic/3, down: 40m }", "Mast down at clinic/3 for 40 min"],
  ["mast: { of: clinic/3, state: up }", "Mast back at clinic/3"],
  ["carrier: { of: carrier, loses: 4%, delay: 1m, for: 2h }", "Carrier carrier: delay 1 min, 4 % lost for 2 h"],
  ["carrier: { of: carrier, carries: 2/m, expires: 2d, long-texts: parts }", "Carrier carrier: texts expire after 2 d, 120 texts an hour, long texts as parts"],
  ["carrier: { of: carrier, carries: unlimited, reports-delivery: 0% }", "Carrier carrier: 0 % of deliveries reported, no limit"],
  ["unreachable: { person: farmers/1, for: 8h }", "Phone of farmers/1 off for 8 h"],
  ["unreachable: { person: farmers/1, state: off }", "Phone of farmers/1 on again"],
  ["airplane: { of: clinic/3, for: 30m }", "Airplane mode of clinic/3 on for 30 min"],
  ["airplane: { of: clinic/3, state: off }", "Airplane mode of clinic/3 off"],
  ["pause: { of: clinic/3, for: 30m }", "Pause of clinic/3 for 30 min"],
  ["pause: { of: clinic/3, state: off }", "End of pause of clinic/3"],
  ["reboot: { of: clinic/3 }", "Reboot of clinic/3, down for 2 min"],
  ["reset: { of: clinic/3, down: 10s }", "App data of clinic/3 cleared, down for 10 s"],
  ["reset: { of: clinic/3, releases: true }", "App data of clinic/3 cleared, channel released"],
  ["register: { of: clinic/3, claimed-again: 1h }", "App of clinic/3 installed again, claimed again after 1 h"],
  ["release: { of: clinic/3, claimed-again: 1h..2h }", "Channel of clinic/3 released, claimed again later"],
  ["claim: { of: clinic/3 }", "clinic/3 claimed"],
  ["claim: { of: clinic/3, org: 2 }", "clinic/3 moved to organisation 2"],
  ["claim: { of: clinic/3, phone: none }", "clinic/3 claimed without a number"],
  ["flow: { person: +12025550100, flow: Registration }", "Flow “Registration” started for Amina"],
  ["flow: { of: clinic/3, person: farmers/3, flow: 12, name: Harvest, values: [{ label: ok, text: yes }] }", "Flow result “Harvest” of farmers/3"],
  ["event: { of: clinic/3, type: mo_mms }", "Event mo_mms of clinic/3"],
  ["traffic: { times: 3x, for: 10m }", "All traffic 3 times as much for 10 min"],
  ["traffic: { of: reports, rate: 200/h }", "Traffic “reports” at 200 an hour"],
  ["traffic: { of: reports, state: paused }", "Traffic “reports” paused"],
  ["receiver: { answers: 503, for: 10m }", "Receiver answers with status 503 for 10 min"],
  ["receiver: { answers: ok }", "Receiver accepts events"],
  ["receiver: { answers: hang }", "Receiver never answers"],
  ["power-cut: { of: clinic/3, for: 10m..3h }", "Power cut at clinic/3 for 10m..3h"],
  ["battery: { of: clinic/3, level: 5%..40% }", "Battery of clinic/3 at 5%..40%"],
  ["clock: { of: clinic/3, skew: -5m..5m }", "Clock of clinic/3 off by -5m..5m"],
  ["reboot: { of: clinic/3, down: { exp: 3m } }", "Reboot of clinic/3, down for { exp: 3m }"],
  ["note: the storm begins", "the storm begins"],
]; // prettier-ignore

it.each(cases)("%s", (step, phrase) => {
  const traffic = "traffic: [{ name: reports, texts: { from: farmers, to: clinic, body: hi }, rate: 5/h }]";
  const { story, cast } = sound(base(`${traffic}\nstory:\n  - { at: 5m, ${step} }\n`));
  const names = {
    handsets: memberOf,
    people: (choice: Selector | { readonly phone: string }) => ("phone" in choice ? "Amina" : memberOf(choice)),
    traffic: (place: number) => cast.traffic[place]?.name ?? "",
  };
  expect(story.map(({ input }) => actPhrase(input, names))).toEqual([phrase]);
});

it("each verb that acts has a phrase", () => {
  const tested = new Set(cases.map(([step]) => step.split(":")[0]));
  const acting = Object.values(verbs).filter(({ name }) => !["expect", "check", "beat"].includes(name));
  expect(acting.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
});
