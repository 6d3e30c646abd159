import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import type { AnswersEvent } from "../support/answering-apps.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat } from "./support.js";

/** Fails at the second text of a person that asks for help; after `POST /reset` it has forgotten everything. */
function helpTwice(isFixed: () => boolean): AnswersEvent {
  let asked = new Set<string>();
  return (body, response) => {
    const fields = new URLSearchParams(body);
    const phone = fields.get("phone") ?? "";
    if (response.req.url === "/reset") {
      asked = new Set();
      return void response.end();
    }
    if (fields.get("event") !== "mo_sms" || !/help/i.test(fields.get("text") ?? "")) return void response.end("{}");
    if (asked.has(phone) && !isFixed()) response.statusCode = 500;
    asked.add(phone);
    response.end(response.statusCode === 500 ? "no second ticket" : "{}");
  };
}

const day = `lasts: 6h
seed: 3
handsets:
  clinic: { count: 3, phone: "+2507880{00000}", battery: 60%..90% }
people:
  farmers: { count: 30, of: clinic, phone: "+2507811{00000}", language: kin }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, maize 12kg] } }
    rate: 20/h
story:
  - { at: 1h, network: { of: clinic/0, type: none, for: 20m } }
  - { at: 2h, text: { from: farmers/7, to: clinic/1, body: "Please HELP me" } }
  - { at: 4h, text: { from: farmers/7, to: clinic/1, body: help } }
expect:
  - failures == 0
`;

describe("minimise, and the bug file that it writes", () => {
  it("a scenario becomes its person and the two texts; the bug file fails until the receiver is fixed", async () => {
    let isFixed = false;
    const folder = temporaryFolder();
    const source = join(folder, "day.yaml");
    const bug = join(folder, "help.bug.yaml");
    writeFileSync(source, day);
    const receiver = await receiverThat(helpTwice(() => isFixed));
    const { code, stdout, stderr } = await handset([
      "minimise",
      source,
      "-r",
      receiver.url,
      "--while",
      "status 500",
      "--reset",
      "POST /reset",
      "--time-limit",
      "10m",
      "-o",
      bug,
      "--json",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const result = JSON.parse(stdout) as { readonly events: readonly { readonly type: string }[] };
    expect(result).toMatchObject({
      reproduced: true,
      failed: 11,
      of: 11,
      oneMinimal: true,
      after: { people: 1, handsets: 1 },
      contaminated: false,
      bug,
    });
    // The retries of the second text are answered 500, too.
    expect(new Set(result.events.map(({ type }) => type))).toEqual(new Set(["mo_sms"]));
    const text = readFileSync(bug, "utf8");
    expect(text).toMatch(/^# mo_sms is answered 500\.\n/);
    expect(text).not.toMatch(/traffic|network|battery|language/);
    expect(Buffer.byteLength(text)).toBeLessThan(10_240);
    const reset = async (): Promise<unknown> => fetch(new URL("/reset", receiver.url), { method: "POST" });
    const play = async (): Promise<number> => {
      await reset();
      return (await handset(["run", bug, "-r", receiver.url, "--recording", "none", "-q"])).code;
    };
    expect(await play()).toBe(1);
    isFixed = true;
    expect(await play()).toBe(0);
  });

  it("a log becomes its two requests; the bug file fails until the receiver is fixed, and can be minimised again", async () => {
    let isFixed = false;
    const folder = temporaryFolder();
    const source = join(folder, "log.jsonl");
    const bug = join(folder, "help.bug.yaml");
    const lines = Array.from({ length: 60 }, (_, place) => {
      const phone = place === 20 || place === 44 ? "+250781100007" : `+2507811${String(10_000 + place)}`;
      const words = place === 20 || place === 44 ? "help" : "join";
      const fields = {
        event: "mo_sms",
        sms: String(place),
        phone,
        text: words,
        time: `2026-03-03T07:${String(place).padStart(2, "0")}:00.000Z`,
      };
      return JSON.stringify({ at: fields.time, body: new URLSearchParams(fields).toString() });
    });
    writeFileSync(source, `${lines.join("\\n")}\\n`.replaceAll("\\n", "\n"));
    const receiver = await receiverThat(helpTwice(() => isFixed));
    const common = ["-r", receiver.url, "--while", "status 500", "--reset", "POST /reset"];
    const minimised = await handset(["minimise", source, ...common, "-o", bug]);
    expect(minimised.code).toBe(0);
    expect(minimised.stdout).toContain("✔ 60 events reduced to 2, and none of them can go");
    for (const line of minimised.stdout.split("\n"))
      if (!line.includes(folder)) expect(line.length).toBeLessThanOrEqual(80);
    const again = await handset(["minimise", bug, ...common, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ before: { events: 2 }, after: { events: 2 }, oneMinimal: true });
    const reset = async (): Promise<unknown> => fetch(new URL("/reset", receiver.url), { method: "POST" });
    await reset();
    expect((await handset(["run", bug, "-r", receiver.url])).code).toBe(1);
    await reset();
    isFixed = true;
    expect((await handset(["run", bug, "-r", receiver.url])).code).toBe(0);
    const kept = await handset(["minimise", source, ...common, "-o", bug]);
    expect(kept.code).toBe(2);
    expect(kept.stderr).toContain("--overwrite");
  });

  it("a scenario that does not fail is not reduced, and nothing is written", async () => {
    const folder = temporaryFolder();
    const source = join(folder, "day.yaml");
    writeFileSync(source, day);
    const receiver = await receiverThat(helpTwice(() => true));
    const bug = join(folder, "none.bug.yaml");
    const { code, stdout } = await handset([
      "minimise",
      source,
      "-r",
      receiver.url,
      "--reset",
      "POST /reset",
      "-o",
      bug,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("does not fail: 0 of 11 plays");
    expect(existsSync(bug)).toBe(false);
  });
});
