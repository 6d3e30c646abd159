import { describe, expect, it } from "vitest";
import { readAccount } from "../../src/index.js";
import { type Diagnostic, formatDiagnostics } from "../../src/scenario/index.js";
import { runs } from "../support/effort.js";
import { base, diagnostics, sound } from "./help.js";

/** Numbers of problems. Work in proportion to the square of the larger one, which is played at night, takes an hour. */
const many = runs(4_000, 20_000);
const groupsAtMost = runs(3_000, 9_000);

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");
}

async function accountDiagnostics(text: string): Promise<Diagnostic[]> {
  return (await readAccount(text, { file: "account.yaml" })).diagnostics;
}

describe("files with thousands of problems", () => {
  const handsets = 'handsets:\n  clinic:\n    phone: "+250788000001"\n';
  const cases: readonly (readonly [name: string, text: string])[] = [
    ["unknown keys at the top", base(lines(many, (n) => `key${n}: 1`))],
    ["unknown keys without values", base(lines(many, (n) => `key${n}:`))],
    ["unknown keys of a group", `lasts: 1h\n${handsets}${lines(many, (n) => `    word${n}: 1`)}`],
    [
      "unknown keys that each follow a comma",
      `lasts: 1h\nhandsets:\n  clinic: {\n    phone: "+250788000001",\n${lines(many, (n) => `    word${n},`)}    }\n`,
    ],
    ["groups that do not exist", base(`story:\n${lines(many, (n) => `  - { at: 5m, reboot: { of: clinc${n} } }`)}`)],
    [
      "misspelled names of very many groups",
      `lasts: 1h\nhandsets:\n${lines(groupsAtMost, (n) => `  g${n}: { phone: "+25078800${10_000 + n}" }`)}story:\n${lines(
        groupsAtMost,
        (n) => `  - { at: 5m, reboot: { of: h${n} } }`,
      )}`,
    ],
  ];

  it.each(cases)("%s: 200 are listed, the rest is counted", (_, text) => {
    const found = diagnostics(text);
    const counted = found.at(-1);
    expect(found).toHaveLength(201);
    expect(counted?.code).toBe("too-many");
    expect(counted?.severity).toBe("error");
    expect((counted?.more ?? 0) % 1000).toBe(800);
    expect(formatDiagnostics(found, text)).toMatch(/\nand [\d,]+,950 more: fix these first\n$/);
  });

  it("5,000 unknown keys: the diagnostic says how many are not listed", () => {
    const found = diagnostics(base(lines(5_000, (n) => `key${n}: 1`)));
    expect(found.at(-1)?.message).toBe("and 4,800 more problems from here on");
    expect(found.at(-1)?.line).toBe(207);
  });

  it.each([
    ["unknown keys", `account: { name: x }\n${lines(many, (n) => `key${n}: 1`)}`],
    ["unknown keys of the organisation", `account:\n  name: x\n${lines(groupsAtMost, (n) => `  key${n}: 1`)}`],
    [
      "groups that do not exist",
      `account: { name: x }\ngroups:\n${lines(groupsAtMost, (n) => `  - g${n}`)}contacts:\n${lines(
        groupsAtMost,
        (n) => `  - { urns: ["tel:+25078800${10_000 + n}"], groups: [h${n}] }`,
      )}`,
    ],
    [
      "people whose names cannot be read",
      `account: { name: x }\npeople:\n${lines(groupsAtMost, (n) => `  - { phone: "+2507810${10_000 + n}", name: { csv: no.csv } }`)}`,
    ],
  ])("an account: %s", async (_, text) => {
    const found = await accountDiagnostics(text);
    expect(found).toHaveLength(201);
    expect((found.at(-1)?.more ?? 0) % 1000).toBe(800);
  });

  it("an error after 200 warnings keeps the scenario from being played", () => {
    const warnings = lines(300, () => "  - events{type=mo_smss} >= 0");
    const text = base(`expect:\n${warnings}story:\n  - { at: 5m, reboot: { of: clinc } }\n`);
    expect(diagnostics(text).filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
    expect(() => sound(text)).toThrow(/more: fix these first/);
  });
});

describe("sizes", () => {
  const groups = (count: number, size: number): string =>
    `lasts: 1h\nhandsets:\n${lines(count, (n) => `  g${n}: { count: ${size}, phone: "+2507${100 + n}{0000000}" }`)}`;

  it("9,000 groups of handsets whose numbers do not meet are sound", () => {
    const text = `lasts: 1h\nhandsets:\n${lines(9_000, (n) => `  g${n}: { phone: "+25078800${10_000 + n}" }`)}`;
    expect(sound(text).cast.handsets).toHaveLength(9_000);
  });

  it("two million members are the most", () => {
    expect(diagnostics(groups(2, 1_000_000))).toEqual([]);
    expect(diagnostics(groups(3, 1_000_000))).toMatchObject([
      {
        code: "too-large",
        line: 2,
        message: "'handsets' has 3,000,000 members in all, at most 2,000,000 fit into one lab",
      },
    ]);
  });

  it("too many entries are refused before they are looked at", () => {
    expect(diagnostics(groups(10_001, 1))).toMatchObject([
      { code: "too-large", line: 2, message: "'handsets' has 10,001 entries, at most 10,000 are read" },
    ]);
  });

  it("a file of more than 8 MiB is refused before it is read", async () => {
    const large = `# ${"x".repeat(8 * 2 ** 20)}\n`;
    expect(diagnostics(base(large))).toMatchObject([{ code: "too-large", line: 1, column: 1 }]);
    expect(await accountDiagnostics(`account: { name: x }\n${large}`)).toMatchObject([
      { code: "too-large", message: "the file has 8.0 MiB, a YAML file may have 8 MiB" },
    ]);
  });
});

describe("numbers that two groups share", () => {
  const shared = (first: string, second: string): string[] =>
    diagnostics(`lasts: 1h\nhandsets:\n  a: ${first}\n  b: ${second}\n`).map(({ message }) => message);

  it.each([
    ['{ phone: "+25078{0000}", count: 10 }', '{ phone: "+25078{0009}", count: 10 }', "+250780009"],
    ['{ phone: "+2507800{00}", count: 100 }', '{ phone: "+250{780000}", count: 1000 }', "+250780000"],
    ['{ phone: "+25078{0000}11", count: 100 }', '{ phone: "+2507800{0000}", count: 3000 }', "+25078000011"],
    ['{ phone: "+2507{000000}1", count: 1000000 }', '{ phone: "+25{00000000}", count: 1000000 }', undefined],
    ['{ phone: "+25{0000000}1", count: 1000000 }', '{ phone: "+257{0000000}", count: 1000000 }', undefined],
    ['{ phone: "+25{0700000}1", count: 999999 }', '{ phone: "+2507{0000000}", count: 1000000 }', undefined],
    ['{ phone: "+25{07000000}1", count: 999999 }', '{ phone: "+250700{00000}", count: 5 }', "+25070000001"],
  ])("%s and %s", (first, second, number) => {
    const messages = shared(first, second);
    if (number === undefined) expect(messages).toEqual([]);
    else expect(messages[0]).toContain(`gives ${number} to b/`);
  });
});

describe("instants", () => {
  it.each(["9999-12-31T23:59:59.999Z", "9900-01-01T00:00:00Z", "0099-12-31T23:59:59Z"])(
    "starts: %s is refused",
    (starts) => {
      expect(diagnostics(`starts: ${starts}\n${base()}`)).toMatchObject([{ code: "out-of-range", line: 1, column: 9 }]);
    },
  );

  it("the time of a flow's answer has the same bounds", () => {
    const step =
      "{ at: 5m, flow: { of: clinic/0, from: farmers/0, values: [{ label: a, time: 9999-12-31T23:59:59.999Z }] } }";
    const codes = diagnostics(base(`story:\n  - ${step}\n`)).map(({ code }) => code);
    expect(codes).toContain("out-of-range");
  });

  it("count and at-most exclude one another", () => {
    const step = "{ at: 5m, expect: { person: farmers/0, hears: hi, count: 1, at-most: 2 } }";
    expect(diagnostics(base(`story:\n  - ${step}\n`))).toMatchObject([{ code: "not-together" }]);
  });
});
