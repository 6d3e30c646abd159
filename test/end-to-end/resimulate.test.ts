import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { resimulate } from "../../src/past/resimulate.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { handset } from "../cli/terminal.js";
import { sharedFolder } from "../support/folder.js";
import { play, smallDay } from "./support.js";

const folder = sharedFolder();
const recording = join(folder, "day.db");

describe("handset resimulate", () => {
  let digest = "";
  let events = 0;
  beforeAll(async () => {
    const { result } = await play(smallDay, { recording });
    digest = result.digest;
    events = Object.values(result.events).reduce((sum, count) => sum + count, 0);
  });

  it("confirms each event and the digest, without the receiver", async () => {
    expect(await resimulate(recording)).toMatchObject({ atMs: 7_200_000, events, digest, difference: null });
  });

  it("shows a handset at any moment as it was: in an outage, before it and after it", async () => {
    const at = async (time: string): Promise<unknown> => {
      const { handsets, difference } = await resimulate(recording, { at: time, of: ["clinic/1"] });
      expect(difference).toBeNull();
      return handsets.map(({ selector, conditions, blocked_by, at: instant }) => ({
        selector,
        network: conditions.network,
        blocked_by,
        instant,
      }));
    };
    const seen = { selector: "clinic/1" };
    expect(await at("29m")).toEqual([
      { ...seen, network: "LTE", blocked_by: null, instant: "2026-03-04T06:29:00.000000Z" },
    ]);
    expect(await at("2026-03-04T06:50:00Z")).toEqual([
      { ...seen, network: "none", blocked_by: "no-network", instant: "2026-03-04T06:50:00.000000Z" },
    ]);
    expect(await at("1:11:00")).toEqual([
      { ...seen, network: "LTE", blocked_by: null, instant: "2026-03-04T07:11:00.000000Z" },
    ]);
  });

  it("prints a line for each handset, those that cannot relay first", async () => {
    const { code, stdout: out } = await handset(["resimulate", recording, "--at", "50m"]);
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines[0]).toBe("Small day at 00:50:00 (2026-03-04 06:50:00.000000Z)");
    expect(lines[1]).toMatch(/^✔ \d+ events are the same as recorded\.$/);
    expect(lines[4]).toMatch(/^ {2}clinic\/1 {2}\d+ %.* {2}none +\d+ {2}the phone has no data network$/);
    expect(lines.filter((line) => line.startsWith("  clinic/"))).toHaveLength(4);
  });

  it("names the first event that a changed recording has otherwise, or that it lacks", async () => {
    const changed = join(folder, "changed.db");
    const { result } = await play(smallDay, { recording: changed });
    const database = new Connection(changed);
    const body = database.prepare<[], string>("SELECT body FROM event WHERE row = 40", "value").get() ?? "";
    database.prepare("UPDATE event SET body = body || '&extra=1' WHERE row = 40").run();
    database.close();
    const { difference, events: same, digest: confirmed } = await resimulate(changed);
    expect(same).toBe(39);
    expect(confirmed).toBeNull();
    expect(difference).toMatchObject({ recorded: `${body}&extra=1`, now: body });
    expect(result.digest).toBe(digest);
    const { code, stdout: out } = await handset(["resimulate", changed]);
    expect(code).toBe(1);
    expect(out).toMatch(/✘ 39 events are the same; event \d\/\d+ at 00:\d\d:\d\d is not as recorded:/);
    expect(out).toContain("&extra=1");
  });

  it("refuses a time outside the run and a handset that is not in it", async () => {
    expect(await handset(["resimulate", recording, "--at", "3h"])).toMatchObject({
      code: 2,
      stderr: "handset: --at: 3h is not within the run\n  write a time from 0s to 7200s. The run ended then.\n",
    });
    expect((await handset(["resimulate", recording, "--of", "village"])).code).toBe(2);
  });
});
