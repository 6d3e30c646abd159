import { describe, expect, it } from "vitest";
import { type Behaviour, handset, play } from "./play.js";

const still = { "poll-every": "1000h" };

describe("silence", () => {
  const story = (service: string): Promise<Behaviour> =>
    play(`
service: ${service}
lasts: 4h
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 10m, sync: { of: clinic, now: true } }
  - { at: 1h21m, sync: { of: clinic, now: true } }
`);

  it("of more than 30 minutes raises one alarm, at a look each 5 minutes", async () => {
    // Seen at 0:10:00.1 and 1:21:00.1.
    expect((await story("rapidpro-2016")).told()).toEqual(["0:45:00 alarm 100 % FUL", "1:55:00 alarm 100 % FUL"]);
  });

  it("is looked for each minute by the documented service", async () => {
    const asleep = "{ preset: documented, wakes-silent: false }";
    expect((await story(asleep)).told()).toEqual(["0:41:00 alarm 100 % CHARGING", "1:52:00 alarm 100 % CHARGING"]);
  });

  it("of just under 30 minutes raises none", async () => {
    const played = await play(`
service: rapidpro-2016
lasts: 2h
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 1s, every: 29m59s, sync: { of: clinic, now: true } }
`);
    expect(played.told()).toEqual([]);
  });
});

describe("a low battery", () => {
  const levels = (service: string): Promise<Behaviour> =>
    play(`
service: ${service}
lasts: 4h
handsets: { clinic: ${handset("plain", { "drain-per-hour": "0%" }, { battery: "60%", mains: "off" })} }
story:
  - { at: 30m, battery: { of: clinic, level: 24% } }
  - { at: 1h, battery: { of: clinic, level: 60% } }
  - { at: 1h30m, battery: { of: clinic, level: 20% } }
  - { at: 2h, power: { of: clinic, mains: on, for: 15m } }
  - { at: 2h16m, battery: { of: clinic, level: 22% } }
`);

  it("below 25 % raises one alarm, which ends by charging only", async () => {
    // The swap to 60 % does not end it; the charger at 2:00 does.
    expect((await levels("rapidpro-2016")).told()).toEqual(["0:40:00 alarm 24 % DIS", "2:20:00 alarm 22 % DIS"]);
  });

  it("of the documented service ends at a higher level too", async () => {
    expect((await levels("documented")).told()).toEqual([
      "0:39:00 alarm 24 % DISCHARGING",
      "1:39:00 alarm 20 % DISCHARGING",
      "2:19:00 alarm 22 % DISCHARGING",
    ]);
  });

  it.each(["rapidpro-2016", "documented"])(
    "that the phone does not know is -1, which raises one alarm: %s",
    async (service) => {
      const played = await play(`
service: ${service}
lasts: 1h
handsets: { clinic: ${handset("plain", { "drain-per-hour": "0%" }, { battery: "80%", "battery-reports": "none" })} }
story:
  - { at: 30m, note: nothing }
`);
      expect(played.told()).toEqual([expect.stringMatching(/alarm -1 % (UNK|DISCHARGING)/)]);
    },
  );

  it("of 25 %, or one that charges, raises none", async () => {
    for (const [level, mains] of [
      ["25.9%", "off"],
      ["5%", "on"],
    ]) {
      const settings = { "drain-per-hour": "0%", "drain-per-sync": "0%", "charge-per-hour": "1%" };
      const played = await play(`
service: rapidpro-2016
lasts: 1h
handsets: { clinic: ${handset("plain", settings, { battery: level, mains })} }
story:
  - { at: 30m, note: nothing }
`);
      expect(played.told()).toEqual([]);
    }
  });
});
