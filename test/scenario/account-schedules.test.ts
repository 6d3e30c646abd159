import { describe, expect, it } from "vitest";
import { readAccount } from "../../src/index.js";

/** Reads an account file with these triggers: its schedules, or its problems. */
async function read(triggers: string): Promise<unknown> {
  const text = `account: existing\ntriggers:\n${triggers}`;
  const { account, diagnostics } = await readAccount(text, { file: "account.yaml" });
  return account?.triggers ?? diagnostics.map(({ line, message }) => `${line}: ${message}`);
}

describe("a schedule in an account file", () => {
  it.each<[string, unknown]>([
    ["{ start: 2026-03-09 08:00 }", { start: "2026-03-09T08:00", repeat: "O" }],
    ["{ repeat: daily, at: 07:30 }", { repeat: "D", hour: 7, minute: 30 }],
    ["{ repeat: weekly, days: [sunday, thursday], at: 8:00 }", { repeat: "W", days: "RU", hour: 8, minute: 0 }],
    [
      "{ repeat: monthly, day: 31, start: 2026-03-09T08:00Z }",
      { repeat: "M", dayOfMonth: 31, start: "2026-03-09T08:00Z" },
    ],
  ])("reads %s", async (written, schedule) => {
    const trigger = { type: "S", keyword: null, matchType: "F", flow: "Ask", channel: null };
    expect(
      await read(`  - { type: schedule, flow: Ask, groups: All, exclude-groups: Away, schedule: ${written} }`),
    ).toEqual([{ ...trigger, groups: ["All"], excludeGroups: ["Away"], schedule }]);
    expect(await read(`  - { type: schedule, flow: Ask, contacts: "+250788000001", schedule: ${written} }`)).toEqual([
      { ...trigger, groups: [], excludeGroups: [], contacts: ["tel:+250788000001"], schedule },
    ]);
  });

  it.each<[string, string]>([
    ["{ type: schedule, flow: Ask }", "'triggers[0]' needs 'schedule'"],
    ["{ type: schedule, flow: Ask, schedule: {} }", "'schedule' needs 'start'"],
    ["{ type: schedule, flow: Ask, schedule: { repeat: daily } }", "'schedule' needs 'at'"],
    ["{ type: schedule, flow: Ask, schedule: { repeat: weekly, at: 08:00 } }", "'schedule' needs 'days'"],
    ["{ type: schedule, flow: Ask, schedule: { repeat: monthly, at: 08:00 } }", "'schedule' needs 'day'"],
    [
      "{ type: schedule, flow: Ask, schedule: { start: 2026-03-09 08:00, day: 3 } }",
      "'day' cannot be used with repeat: never",
    ],
    [
      "{ type: schedule, flow: Ask, schedule: { start: soon } }",
      "'start' must be a date and time such as 2026-03-09 08:00, got 'soon'",
    ],
    [
      "{ keyword: join, flow: Ask, schedule: { start: 2026-03-09 08:00 } }",
      "'schedule' cannot be used with type: keyword",
    ],
    [
      "{ type: schedule, keyword: join, flow: Ask, schedule: { start: 2026-03-09 08:00 } }",
      "'keyword' cannot be used with type: schedule",
    ],
  ])("refuses %s", async (written, message) => {
    expect(await read(`  - ${written}`)).toEqual([`3: ${message}`]);
  });
});
