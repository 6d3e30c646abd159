import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/index.js";
import { play, receiverThat } from "../end-to-end/support.js";

/** A phone, a person and a story, played with a preset of the service. */
async function played(service: string, story: string, handset = ""): Promise<RunResult> {
  const text = `
name: One phone
seed: 11
starts: 2026-03-04T06:00:00.000Z
lasts: 8h
service: ${service}
handsets:
  clinic: { phone: "+250788000001", battery: 60% ${handset} }
people:
  ada: { phone: "+250781100001", of: clinic }
story:
${story}
`;
  return (await play(text, { receiver: "none" })).result;
}

const reboot = `
  - { at: 1h, reboot: { of: clinic, down: 2m } }
  - { at: 3h, text: { from: ada, to: clinic, body: "anybody?" } }
`;
const unopened = `, mains: on, profile: { preset: 2024, push-loses: 0% }`;

describe("push round to a phone of 2024 that nobody opened after a reboot", () => {
  it("looks alive, relays nothing and raises no alarm", async () => {
    const { events, alarms, ledger } = await played("documented", reboot, unopened);
    expect([events, alarms]).toEqual([{}, 0]);
    expect(ledger.texts).toMatchObject({ in: 1, queued: 1 });
  });

  it("is silent without the round, and raises the alarm", async () => {
    const { events } = await played("{ preset: documented, wakes-silent: false }", reboot, unopened);
    expect(events).toEqual({ alarm: 1 });
    expect((await played("rapidpro-2016", reboot, unopened)).events).toEqual({ alarm: 1 });
  });

  it("reports the values of before the reboot until it is opened", async () => {
    const story = `
  - { at: 30m, power: { of: clinic, mains: off } }
  - { at: 59m, battery: { of: clinic, level: 20% } }
${reboot}  - { at: 2h, power: { of: clinic, mains: on } }
  - { at: 7h, send: { via: clinic, to: ada, body: "are you there?" } }
  - { at: 7h30m, expect: { event: alarm, of: clinic, where: { power_level: "20" }, count: 1 } }
`;
    // The one alarm is that of the low battery, which does not end although the phone has charged for hours.
    const { expectations, alarms } = await played("documented", story, unopened);
    expect(expectations.map(({ held }) => held)).toEqual([true]);
    expect(alarms).toBe(1);
  });
});

describe("de-duplication", () => {
  const lost = `
  - { at: 1h, sync: { of: clinic, loses: response, times: 2 } }
  - { after: 1s, text: { from: ada, to: clinic, body: "maize 12kg" } }
`;

  it("is the service's: rapidpro-2016 stores a repeated text once, whatever the phone", async () => {
    const { events, ledger } = await played("rapidpro-2016", lost);
    expect(events).toEqual({ mo_sms: 1 });
    expect(ledger.texts).toMatchObject({
      in: 1,
      copies: { "lost-response": 2 },
      delivered: 1,
      lost: { deduplicated: 2 },
    });
  });

  it("is off in documented, for phones of 2017 too", async () => {
    expect((await played("documented", lost)).events).toEqual({ mo_sms: 3 });
    expect((await played("documented", lost, ", profile: 2017")).events).toEqual({ mo_sms: 3 });
  });
});

it("mt_fail tells of a message that the phone gave up, where the preset has it", async () => {
  const story = `
  - { at: 1h, sms-service: { of: clinic, state: generic-failure } }
  - { at: 1h, send: { via: clinic, to: ada, body: "come" } }
`;
  expect((await played("documented", story)).events).toEqual({});
  expect((await played("{ preset: documented, mt-fail: true }", story)).events).toEqual({ mt_fail: 1 });
  expect((await played("rapidpro-2016", story)).events).toEqual({ mt_fail: 1 });
});

it("flow events are tried once in rapidpro-2016, others three times", async () => {
  const { url } = await receiverThat((_body, response) => response.writeHead(500).end());
  const { result } = await play(`
name: Once
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
service: rapidpro-2016
receiver: { url: "${url}" }
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { phone: "+250781100001", of: clinic } }
story:
  - { at: 1m, flow: { of: clinic, person: ada, flow: 12, name: Harvest } }
  - { at: 2m, text: { from: ada, to: clinic, body: join } }
`);
  expect(result.attempts).toMatchObject({ retried: 2, failed: 2 });
  expect(result.ledger.events).toMatchObject({ in: 2, failed: 2, queued: 0 });
});
