import { describe, expect, it } from "vitest";
import { handset, play } from "./play.js";

const links = (settings: object, more: object): string => `handsets: { clinic: ${handset("plain", settings, more)} }`;
const both = { network: "LTE", "second-network": "WIFI" };

describe("two data links", () => {
  it("are there from the start: the phone uses the second without the first", async () => {
    const played = await play(`
${links({}, both)}
story:
  - { at: 1h, text: { from: ada, to: clinic, body: one } }
  - { at: 2h, network: { of: clinic, type: none } }
  - { at: 3h, text: { from: ada, to: clinic, body: two } }
`);
    expect(played.told("mo_sms")).toEqual(["1:00:02 mo_sms one", "3:00:02 mo_sms two"]);
    expect(linkOfTexts(played)).toEqual(["LTE", "WIFI"]);
  });

  it("are tried one after the other by an app that flips, from the one that it prefers", async () => {
    const played = await play(`
${links({ "flips-network": true, "repeats-sync": true, "prefers-network": "wifi", "sync-timeout": "10s" }, both)}
story:
  - { at: 1h, text: { from: ada, to: clinic, body: one } }
  - { at: 2h, network: { of: clinic, loses: 100% } }
  - { at: 3h, text: { from: ada, to: clinic, body: two } }
`);
    // The losses are those of the first link; the app is on the second.
    expect(played.told("mo_sms")).toEqual(["1:00:02 mo_sms one", "3:00:02 mo_sms two"]);
    expect(linkOfTexts(played)).toEqual(["WIFI", "WIFI"]);
  });
});

describe("the preferred network", () => {
  it("is used at each sync when it is up", async () => {
    const played = await play(`
${links({ "prefers-network": "data" }, { network: "WIFI", "second-network": "EDGE" })}
story:
  - { at: 1h, text: { from: ada, to: clinic, body: one } }
`);
    expect(linkOfTexts(played)).toEqual(["EDGE"]);
    expect(played.told("mo_sms")).toEqual(["1:00:02 mo_sms one"]);
  });

  it("is waited for, at most 30 s, which the event tells as its delay", async () => {
    const played = await play(`
${links({ "prefers-network": "wifi" }, { network: "LTE" })}
story:
  - { at: 1h, text: { from: ada, to: clinic, body: one } }
  - { at: 1h10s, note: waiting }
  - { at: 2h, text: { from: ada, to: clinic, body: two } }
  - { at: 2h12s, network: { of: clinic, second: WIFI } }
`);
    expect(played.phone("waiting").sync.putOffBy).toBe("preferred-network");
    expect(played.told("mo_sms")).toEqual(["1:00:32 mo_sms one", "2:00:12 mo_sms two"]);
    expect(linkOfTexts(played)).toEqual(["LTE", "WIFI"]);
    expect(played.events.map(({ delays }) => delays)).toMatchObject([
      [{ kind: "waited-for-sync", why: "preferred-network" }],
      [{ kind: "waited-for-sync", why: "preferred-network" }],
    ]);
  });
});

/** The link that the phone reported in each sync that carried a text. */
function linkOfTexts({ syncs }: Awaited<ReturnType<typeof play>>): string[] {
  return syncs
    .filter(({ report }) => report.reports.some(({ type }) => type === "mo_sms"))
    .map(({ report }) => report.status.networkType);
}
