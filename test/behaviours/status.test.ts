import { describe, expect, it } from "vitest";
import { type Behaviour, clock, handset, play } from "./play.js";

/** `time source status level network` of each sync. */
const reported = ({ syncs }: Behaviour): string[] =>
  syncs.map(({ atMs, report: { status } }) =>
    [clock(atMs), status.powerSource, status.powerStatus, status.powerLevel, status.networkType].join(" "),
  );
/** A phone that polls no more, so that each sync is one of the story, and is not woken. */
const still = { "poll-every": "1000h" };
const asleep = "service: { preset: documented, wakes-silent: false }";
const syncAt = (at: string): string => `  - { at: ${at}, sync: { of: clinic, now: true } }\n`;

describe("the status report", () => {
  it("names what the phone charges from, and its battery's state", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset("plain", still, { battery: "100%" })} }
story:
${syncAt("10m")}  - { at: 11m, power: { of: clinic, mains: off } }
${syncAt("12m")}  - { at: 13m, battery: { of: clinic, level: 50% } }
  - { at: 13m, power: { of: clinic, mains: usb } }
${syncAt("14m")}  - { at: 15m, power: { of: clinic, mains: wireless } }
${syncAt("16m")}  - { at: 17m, battery: { of: clinic, reports: unknown } }
${syncAt("18m")}  - { at: 19m, battery: { of: clinic, reports: none } }
${syncAt("20m")}`);
    expect(reported(played)).toEqual([
      "0:10:00 AC FUL 100 LTE",
      "0:12:00 BAT DIS 100 LTE",
      "0:14:00 USB CHA 50 LTE",
      "0:16:00 WIR CHA 51 LTE",
      "0:18:00 WIR UNK 51 LTE",
      "0:20:00 BAT UNK -1 LTE",
    ]);
  });

  it("is NOT with a plug that does not charge", async () => {
    const played = await play(`
lasts: 20m
handsets: { clinic: ${handset("plain", { ...still, "charge-per-hour": "0%" }, { battery: "50%" })} }
story:
${syncAt("10m")}`);
    expect(reported(played)).toEqual(["0:10:00 AC NOT 50 LTE"]);
  });

  it("names the link that the sync runs over", async () => {
    const links = "GPRS EDGE UMTS HSPA LTE WIFI HSDPA HSPA+ CDMA NR BLUETOOTH WIMAX".split(" ");
    const steps = links.map(
      (link, index) => `  - { at: ${index + 1}m, network: { of: clinic, type: ${link} } }\n${syncAt(`${index + 1}m`)}`,
    );
    const played = await play(`
lasts: 20m
handsets: { clinic: ${handset("plain", still)} }
story:
${steps.join("")}`);
    expect(played.syncs.map(({ report }) => report.status.networkType)).toEqual(links);
  });

  it("lists all ids of both lists, however many", async () => {
    const played = await play(`
lasts: 1h
handsets: { clinic: ${handset("plain", still, { packs: 1 })} }
story:
  - { at: 9m, sms-service: { of: clinic, state: no-service } }
  - { at: 10m, every: 1ms, times: 300, send: { via: clinic, to: ada, body: "m{n}" } }
${syncAt("15m")}`);
    const { pending, retry } = played.syncs.at(-1)?.report.status ?? {};
    expect([pending?.length, retry?.length]).toEqual([270, 30]);
  });

  it("goes out with syncs only; a change of the battery causes none", async () => {
    const played = await play(`
${asleep}
lasts: 3h
handsets: { clinic: ${handset("plain", still, { battery: "60%" })} }
story:
  - { at: 30m, power: { of: clinic, mains: off } }
  - { at: 1h, battery: { of: clinic, level: 4% } }
  - { at: 2h, power: { of: clinic, mains: on } }
`);
    expect(played.syncs).toEqual([]);
  });
});

describe("a phone of 2024 after a reboot", () => {
  it("reports the battery and network of before it until opened (D16)", async () => {
    const played = await play(`
lasts: 7h
handsets: { clinic: ${handset(2024, {}, { battery: "60%" })} }
story:
  - { at: 30m, power: { of: clinic, mains: off } }
  - { at: 59m, battery: { of: clinic, level: 20% } }
  - { at: 1h, reboot: { of: clinic, down: 2m } }
  - { at: 2h, power: { of: clinic, mains: on } }
  - { at: 3h, network: { of: clinic, type: WIFI } }
  - { at: 6h, open: { of: clinic } }
`);
    const lines = reported(played);
    const closed = lines.filter((line) => line > "1:02:00" && line < "6:00:00");
    expect(closed[0]).toBe("1:20:01 BAT DIS 20 LTE");
    expect(new Set(closed.map((line) => line.slice(8)))).toEqual(new Set(["BAT DIS 20 LTE"]));
    expect(lines.find((line) => line >= "6:00:00")).toBe("6:00:00 AC CHA 100 WIFI");
    // It has charged for hours, and its alarm never ends.
    expect(played.told()).toEqual(["1:21:00 alarm 20 % DISCHARGING"]);
  });
});

describe("the battery", () => {
  it("loses 1 to 3 % an hour when idle and charges 15 to 40 %", async () => {
    const played = await play(`
lasts: 5h
handsets: { clinic: ${handset("plain", {}, { battery: "50%", mains: "off" })} }
story:
  - { at: 1h, note: one }
  - { at: 2h, note: two }
  - { at: 3h, power: { of: clinic, mains: on } }
  - { at: 3h, note: three }
  - { at: 4h, note: four }
`);
    const [one, two, three, four] = ["one", "two", "three", "four"].map((note) => played.phone(note).power.level) as [
      number,
      number,
      number,
      number,
    ];
    expect(one - two).toBeGreaterThan(1);
    expect(one - two).toBeLessThan(3);
    expect(four - three).toBeGreaterThan(15);
    expect(four - three).toBeLessThan(40);
  });

  it("dies at 0 without a word; charged to 3 %, the phone is back", async () => {
    const played = await play(`
${asleep}
lasts: 7h
handsets: { clinic: ${handset("plain", {}, { battery: "1%", mains: "off" })} }
story:
  - { at: 28m, network: { of: clinic, type: none } }
  - { at: 29m, call: { from: ben, to: clinic, rings: 5s } }
  - { at: 3h, text: { from: ada, to: clinic, body: hello } }
  - { at: 4h, network: { of: clinic, type: LTE } }
  - { at: 5h, power: { of: clinic, mains: on } }
`);
    // 25 % an hour: 3 % after 7:12, a minute to boot, and the call that it had kept. The text waited at the carrier.
    expect(played.syncTimes().find((time) => time > "0:28:00")).toBe("5:08:12");
    expect(played.told("mo_miss", "mo_sms")).toEqual(["5:08:12 mo_miss 0 s", "5:08:22 mo_sms hello"]);
    expect(reported(played).find((line) => line > "1")).toBe("5:08:12 AC CHA 3 LTE");
  });
});
