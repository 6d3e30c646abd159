import { describe, expect, it } from "vitest";
import { formatDiagnostics } from "../../src/scenario/index.js";
import { base, diagnostics, sound } from "./help.js";

const text = base(`traffic:
  - texts: { from: farmers, to: clinic, body: hi }
    rate: 2/s
receiver: http://127.0.0.1:8080/
expect: [lost == 0]
`);

describe("--set", () => {
  it("overrides a value", () => {
    expect(sound(text, { set: ["handsets.clinic.count=4000"] }).cast.handsets[0]?.count).toBe(4000);
    expect(sound(text, { set: ["traffic.0.rate=5/s"] }).cast.traffic[0]?.shape).toEqual({
      kind: "constant",
      perMs: 0.005,
    });
  });

  it("creates the maps that are missing, takes maps and lists, and appends to lists", () => {
    const set = [
      "carriers.mtn.loses=25%",
      "story=[{ at: 5m, note: hi }]",
      "story.1={ at: 6m, note: there }",
      "expect.1=alarms >= 1",
      "name=a=b",
    ];
    const scenario = sound(text, { set });
    expect(scenario.cast.carriers).toMatchObject([{ name: "mtn", loses: 0.25 }]);
    expect(scenario.story).toHaveLength(2);
    expect(scenario.expect.map((one) => one.text)).toEqual(["lost == 0", "alarms >= 1"]);
    expect(scenario.name).toBe("a=b");
    expect(scenario.source).toEqual({ file: "test.yaml", text, set });
  });

  it("a shorthand becomes a map", () => {
    const scenario = sound(text, {
      set: [
        "receiver.timeout=2s",
        "service=rapidpro-2016",
        "service.attempts=2",
        "handsets.clinic.profile=2017",
        "handsets.clinic.profile.batch=7",
      ],
    });
    expect(scenario.receiver).toMatchObject({ url: "http://127.0.0.1:8080/", timeoutMs: 2000 });
    expect(scenario.service).toMatchObject({ name: "rapidpro-2016", attempts: 2 });
    expect(scenario.cast.handsets[0]?.profile).toMatchObject({ name: "2017", batch: 7 });
  });

  it("creates lists that are missing", () => {
    const lists = { set: ["story.0={ at: 1m, note: x }", "story.1={ at: 2m, note: y }", "service.waits.0=6m"] };
    const scenario = sound(text, lists);
    expect(scenario.story).toHaveLength(2);
    expect(scenario.service.waitsMs).toEqual([360_000]);
  });

  it("a name close to an existing group is a new group when it has numbers", () => {
    const set = ["handsets.clinic2.count=2", 'handsets.clinic2.phone="+25079{00}000000"', "people.farmers.of=clinic"];
    expect(sound(text, { set }).cast.handsets.map((group) => group.name)).toEqual(["clinic", "clinic2"]);
  });

  it("an empty text", () => {
    expect(sound(text, { set: ['about=""'] }).about).toBe("");
  });

  /** A `--set`, and the place and code of what is said about it. */
  const bad: readonly (readonly [set: string, column: number, code: string])[] = [
    ["handsets.clinic.count", 1, "bad-set"],
    ["=5", 1, "bad-set"],
    ["handsets..count=5", 10, "bad-set"],
    ["handsets.clinic.count=many", 23, "bad-value"],
    ["handsets.clinic.count=0", 23, "out-of-range"],
    ["handsets.clinic.conut=5", 17, "unknown-key"],
    ["handsets.clinic.phone.first=5", 23, "bad-set"],
    ["traffic.7.rate=5/s", 9, "bad-set"],
    ["traffic.first.rate=5/s", 9, "bad-set"],
    ["traffic.-1.rate=5/s", 9, "bad-set"],
    ["story.1={ at: 5m, note: x }", 7, "bad-set"],
    ["handsets.clinik.count=4", 10, "bad-set"],
    ["people.farmer.picks-up=4%", 8, "bad-set"],
    ["seed=", 6, "bad-value"],
    ["seed=[1, 2", 11, "yaml-syntax"],
    ["lookahed=5s", 1, "unknown-key"],
    ["handsets.ward.battery=5%", 10, "missing-key"],
    ["people.farmers.of=clinik", 19, "unknown-group"],
    ["lasts=90", 7, "wrong-unit"],
  ];
  it.each(bad)("%s", (set, column, code) => {
    const [first] = diagnostics(text, { set: ["seed=5", set] }).filter((one) => one.file === "--set");
    expect(first).toMatchObject({ severity: "error", code, file: "--set", line: 2, column });
  });

  it("is printed with the argument, and the rest keeps its position in the file", () => {
    const broken = text.replace("lost == 0", "lots == 0");
    const set = ["lasts=90"];
    const printed = formatDiagnostics(diagnostics(broken, { set }), broken, set);
    expect(printed).toBe(`test.yaml:11:10: error[unknown-metric]: 'expect[0]' names no metric: 'lots'
  11 | expect: [lots == 0]
     |          ^^^^ did you mean 'ledger.gap'?
--set:1:7: error[wrong-unit]: 'lasts' must be a duration such as 90s or 1h30m, got '90'
  1 | lasts=90
    |       ^^ write 90s
`);
  });
});
