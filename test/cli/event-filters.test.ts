import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runScenario } from "../../src/index.js";
import { parse, receiverThat, smallDay } from "../end-to-end/support.js";
import { sharedFolder, temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

interface Line {
  readonly at: number;
  readonly type: string;
  readonly handset: string;
  readonly body: string;
  readonly fields: Record<string, string>;
  readonly attempts: readonly Record<string, unknown>[];
}

const recording = join(sharedFolder(), "run.db");

async function events(...filters: string[]): Promise<Line[]> {
  const { code, stdout } = await handset(["events", recording, ...filters]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

describe("filters of events", () => {
  let all: Line[] = [];
  beforeAll(async () => {
    const { result } = await runScenario(parse(smallDay), { recording });
    expect(result.lost).toBe(0);
    all = await events();
  });

  it("shows fields decoded, when each attempt was due, sent and answered, and the answer", () => {
    const text = all.find(({ type }) => type === "mo_sms");
    expect(text?.fields).toMatchObject({ event: "mo_sms", phone: expect.stringMatching(/^\+2507811/) as unknown });
    const [attempt] = text?.attempts ?? [];
    expect(attempt).toMatchObject({ status: 200, try: 1, outcome: "accepted", due: text?.at });
    expect(Number(attempt?.["answeredMs"])).toBeGreaterThanOrEqual(Number(attempt?.["sentMs"]));
  });

  it("leave exactly the events that they name", async () => {
    const [hour, half] = [3_600_000, 1_800_000];
    const phone = all.find(({ type }) => type === "mo_sms")?.fields["phone"] ?? "";
    const cases: readonly (readonly [string[], (line: Line) => boolean])[] = [
      [["--type", "mo_sms,mt_sent"], ({ type }) => type === "mo_sms" || type === "mt_sent"],
      [["--of", "clinic/1..2"], (line) => line.handset === "clinic/1" || line.handset === "clinic/2"],
      [["--of", "+250788000003"], (line) => line.handset === "clinic/3"],
      [["--from", "30m", "--to", "1:00:00"], ({ at }) => at >= half && at <= hour],
      [["--from", "2026-03-04T07:00:00Z"], ({ at }) => at >= hour],
      [["--person", phone], (line) => line.fields["phone"] === phone],
      [["--person", "farmers/0..9"], (line) => /^\+25078110000\d$/.test(line.fields["phone"] ?? "")],
      [["--outcome", "accepted"], () => true],
      [["--outcome", "untried,timeout"], () => false],
      [["--of", "clinic/1", "--type", "mo_sms"], (line) => line.handset === "clinic/1" && line.type === "mo_sms"],
    ];
    for (const [filters, isMeant] of cases) {
      const wanted = all.filter(isMeant);
      if (!filters.includes("untried,timeout")) expect(wanted.length, filters.join(" ")).toBeGreaterThan(0);
      expect(await events(...filters), filters.join(" ")).toEqual(wanted);
    }
  });

  it("mean the same to replay, which posts those events only", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const filters = ["--of", "clinic/1", "--type", "mo_sms", "--outcome", "accepted"];
    const again = join(temporaryFolder(), "again.db");
    const { code } = await handset(["replay", recording, "-r", receiver.url, "--recording", again, "-q", ...filters]);
    expect(code).toBe(0);
    const wanted = (await events(...filters)).map(({ body }) => body);
    expect(receiver.got.map(({ body }) => body).toSorted()).toEqual(wanted.toSorted());
    const { stdout } = await handset(["events", again]);
    const [posted] = stdout.split("\n");
    expect((JSON.parse(posted ?? "") as Line).attempts).toMatchObject([{ status: 200, answer: "{}" }]);
    const none = await handset([
      "replay",
      recording,
      "-r",
      receiver.url,
      "-q",
      "--recording",
      ":memory:",
      "--to",
      "0s",
    ]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no event of the recording matches")]);
  });

  it.each([
    [["--of", "clinic/9"], "--of clinic/9: selects 'clinic/9', but clinic has 4 members, 0..3"],
    [["--of", "klinic"], "did you mean 'clinic'?"],
    [["--of", "+250788999999"], "is not a handset's number"],
    [["--person", "clinic"], "--person clinic:"],
    [["--type", "mo_smss"], "the recording has no event of the type 'mo_smss'"],
    [["--outcome", "ok"], "write one of accepted"],
    [["--from", "yesterday"], "--from: 'yesterday' is not a time"],
    [["--from", "2h", "--to", "1h"], "--from 2h is later than --to 1h"],
  ])("%s is refused with what would be right", async (filters, message) => {
    const { code, stdout, stderr } = await handset(["events", recording, ...filters]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});
