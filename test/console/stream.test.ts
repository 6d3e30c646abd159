import { describe, expect, it } from "vitest";
import { fleetColumns, fleetNetworks, handsetFlags, type Traffic } from "../../src/console/index.js";
import { networkTypes, phoneFlags } from "../../src/world/index.js";
import { serveReady, serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";
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

  it("samples the texts of each group, but only while a page wants them", async () => {
    const lab = await serving({
      scenario: parse(`
lasts: 1d
handsets:
  clinic: { count: 2, phone: "+2507880{00}", place: { x: 1, y: 2 } }
  school: { phone: "+250788100" }
people: { families: { count: 30, phone: "+2507811{00}", of: clinic } }
`),
    });
    const client = await ConsoleClient.open(lab.served.url, { token: lab.served.labToken });
    const { groups } = await client.snapshot();
    expect(groups.map(({ place }) => place)).toEqual([{ x: 1, y: 2 }, undefined]);
    const hear = async (to: string, count: number): Promise<void> => {
      for (let nth = 0; nth < count; nth++)
        await lab.lab.done("POST", "/do/text", { from: `families/${nth}`, to, body: `to ${to}` });
      await lab.step("1m");
    };
    await hear("clinic/0", 3);
    await client.delta(({ log }) => log?.some(({ kind }) => kind === "event") === true);
    expect(client.frames.some((frame) => "traffic" in frame)).toBe(false);

    client.socket.send(JSON.stringify({ traffic: true }));
    // A wish is granted by the time of the next frame.
    const seen = client.frames.length;
    await client.delta(({ frame }) => client.frames.length > seen + 1 && frame === client.frames.at(-1)?.frame);
    await hear("clinic/1", 20);
    await hear("school/0", 1);
    const traffic = (): readonly Traffic[] =>
      client.frames.flatMap((frame) => (frame.kind === "delta" && frame.traffic !== undefined ? [frame.traffic] : []));
    const sumOf = (channel: number): number =>
      traffic().reduce((sum, { counts }) => sum + (counts.find(([first]) => first === channel)?.[1] ?? 0), 0);
    await expect.poll(() => [sumOf(1), sumOf(3)]).toEqual([20, 1]);
    const samples = traffic().flatMap(({ sample }) =>
      sample.map(({ handset, type, text }) => `${handset} ${type} ${text}`),
    );
    expect(samples.filter((one) => one === "clinic/1 mo_sms to clinic/1").length).toBeLessThan(20);
    expect(samples).toContain("school/0 mo_sms to school/0");

    client.socket.send(JSON.stringify({ traffic: false }));
    const before = traffic().length;
    await lab.lab.done("POST", "/do/text", { from: "families/1", to: "school/0", body: "unseen" });
    await lab.step("1m");
    await client.delta(({ log }) => log?.some((entry) => entry.kind === "event" && entry.text === "unseen") === true);
    expect(traffic()).toHaveLength(before);
    expect(client.misfits).toEqual([]);
  });

  it("has the flags of the world's phones, and that of alarms", () => {
    expect(handsetFlags).toEqual({ ...phoneFlags, hasAlarm: handsetFlags.hasAlarm });
  });

  it("has the networks in the order of the world's", () => {
    expect(fleetNetworks).toEqual(networkTypes);
  });
});
