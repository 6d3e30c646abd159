import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { resimulate } from "../../src/past/resimulate.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { handset } from "../cli/terminal.js";
import { sharedFolder } from "../support/folder.js";
import { play, smallDay } from "./support.js";

const folder = sharedFolder();
const recording = join(folder, "day.db");
const of = ["clinic/1"];

describe("handset resimulate --of", () => {
  beforeAll(async () => {
    await play(smallDay, { recording });
  });

  it("plays only the part of the fleet with the chosen handset, which is then as in the whole", async () => {
    const states = await Promise.all(
      ["29m", "50m", "1:11:00", "1:59:59"].map(async (at) => {
        const whole = await resimulate(recording, { at });
        const part = await resimulate(recording, { at, of });
        expect(whole.part).toBeNull();
        expect(part).toMatchObject({ part: "2/4", difference: null, atMs: whole.atMs });
        expect(part.events).toBeLessThan(whole.events / 2);
        expect(part.handsets).toEqual(whole.handsets.filter(({ selector }) => selector === "clinic/1"));
        return part.handsets[0]?.blocked_by;
      }),
    );
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBeGreaterThan(1);
    const { stdout } = await handset(["resimulate", recording, "--at", "50m", "--of", "clinic/1"]);
    expect(stdout).toMatch(/^✔ \d+ events of part 2\/4 of the fleet are the same as recorded\.$/m);
  });

  it("plays the whole where handsets of several parts are chosen, at the end, and where phones depend on others", async () => {
    expect((await resimulate(recording, { at: "50m", of: ["clinic/0", "clinic/3"] })).part).toBeNull();
    const atEnd = await resimulate(recording, { of });
    expect(atEnd.part).toBeNull();
    expect(atEnd.digest).not.toBeNull();
    const crossing = join(folder, "crossing.db");
    await play(`${smallDay}  - { at: 20m, text: { from: farmers/0, to: clinic/1, body: hi } }\n`, {
      recording: crossing,
    });
    const whole = await resimulate(crossing, { at: "50m", of });
    expect(whole).toMatchObject({ part: null, difference: null });
  });

  it("names the difference of a changed recording, in the whole", async () => {
    const changed = join(folder, "changed.db");
    await play(smallDay, { recording: changed });
    const database = new Connection(changed);
    database.prepare("UPDATE event SET body = body || '&extra=1' WHERE channel = 2 AND number = 5").run();
    database.close();
    expect((await resimulate(changed, { at: "1:30:00", of })).difference).toMatchObject({ id: "2/5" });
    expect((await resimulate(changed, { at: "1:30:00", of: ["clinic/3"] })).difference).toBeNull();
  });
});
