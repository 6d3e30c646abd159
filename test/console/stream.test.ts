import { describe, expect, it } from "vitest";
import { fleetColumns, fleetNetworks, handsetFlags } from "../../src/console/index.js";
import { networkTypes, phoneFlags } from "../../src/world/index.js";
import { serveReady } from "../end-to-end/served.js";
import { ConsoleClient } from "./console-client.js";

const column = (name: (typeof fleetColumns)[number]): number => 1 + fleetColumns.indexOf(name);

describe("the console's stream", () => {
  it("sends everything, then what has changed, to a client with the lab's token", async () => {
    const lab = await serveReady();
    const client = await ConsoleClient.open(lab.served.url, { token: lab.served.labToken });
    const snapshot = await client.snapshot();
    expect(snapshot.lab).toMatchObject({ name: "Ready", mode: "serve", people: 30, hasClock: true, receiver: null });
    expect(snapshot.groups).toEqual([{ name: "clinic", label: "clinic", firstChannel: 1, firstIndex: 0, count: 2 }]);
    expect(snapshot.fleet.battery).toHaveLength(2);
    expect(snapshot.clock).toMatchObject({ isPaused: true, speed: 1 });
    await lab.lab.done("POST", "/do/power", { of: "clinic/1", mains: "off" });
    const changed = await client.delta(({ fleet }) => fleet?.some(([channel]) => channel === 2) === true);
    const row = changed.fleet?.find(([channel]) => channel === 2) ?? [];
    expect((row[column("flags")] ?? 0) & handsetFlags.hasMains).toBe(0);
    const said = await client.delta(({ log }) => log?.some(({ kind }) => kind === "hand") === true);
    expect(said.log).toContainEqual(
      expect.objectContaining({ kind: "hand", text: 'do/power {"of":"clinic/1","mains":"off"}' }),
    );
    expect(client.misfits).toEqual([]);
  });

  it("numbers its frames without a gap, and counts what happened", async () => {
    const lab = await serveReady();
    const client = await ConsoleClient.open(lab.served.url, { token: lab.served.labToken });
    const { totals, frame } = await client.snapshot();
    await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "Is <b>it</b> open?" });
    await lab.step("1m");
    const heard = await client.delta(({ log }) => log?.some(({ kind }) => kind === "event") === true);
    expect(heard.log).toContainEqual(
      expect.objectContaining({ kind: "event", type: "mo_sms", handset: "clinic/0", text: "Is <b>it</b> open?" }),
    );
    await client.delta((delta) => (delta.totals?.events ?? 0) > totals.events);
    expect(client.frames.map((one) => one.frame)).toEqual(client.frames.map((_, index) => frame + index));
    expect(client.misfits).toEqual([]);
  });

  it("has the flags of the world's phones, and that of alarms", () => {
    expect(handsetFlags).toEqual({ ...phoneFlags, hasAlarm: handsetFlags.hasAlarm });
  });

  it("has the networks in the order of the world's", () => {
    expect(fleetNetworks).toEqual(networkTypes);
  });
});
