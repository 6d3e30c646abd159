import { describe, expect, it } from "vitest";
import { diagnostics, sound } from "./help.js";

/** A scenario with these steps; `head`: more keys. */
function story(steps: readonly string[], head = ""): string {
  return `lasts: 3h
handsets:
  v: { count: 4, phone: "+25078800000{0}", second-sim: { phone: "+25073300000{0}" } }
people:
  farmers: { count: 8, phone: "+25078111000{0}" }
  network: { sender: MTN }
${head}
story:
${steps.map((step) => `  - ${step}`).join("\n")}
`;
}

/** The step of an expectation with a filter. */
function filter(event: string, where: string): string {
  return `{ at: 1h, expect: { event: ${event}, where: ${where}, count: ">= 0" } }`;
}

/** The keys of the problems of a scenario with one filter. */
function codes(event: string, where: string, more: { head?: string; steps?: readonly string[] } = {}): string[] {
  const text = story([filter(event, where), ...(more.steps ?? [])], more.head);
  return diagnostics(text).map(({ code, severity }) => `${severity} ${code}`);
}

describe("filters of events", () => {
  it.each([
    ["mo_sms", '{ phone: "+250781110003" }'],
    ["mo_sms", '{ phone: "+25078111" }'],
    ["mo_sms", '{ phone: "10003" }'],
    ["mo_sms", "{ phone: MTN }"],
    ["mo_sms", "{ phone: /^$/ }"],
    ["mo_sms", "{ phone: /v/ }"],
    ["mt_sent", '{ phone: "+4915112345678" }'],
    ["mt_sent", '{ phone: "3636" }'],
    ["mt_sent", "{ phone: Orange }"],
    ["mo_sms", '{ relayer_phone: "" }'],
    ["mo_sms", '{ relayer_phone: "+250788000003" }'],
    ["mo_sms", '{ relayer_phone: "+250733000000" }'],
    ["mo_sms", '{ relayer: "1000001" }'],
    ["mo_sms", '{ text: v/3, event: mo_sms, direction: "I", status: D }'],
    ["mo_sms", '{ time: "T08:15" }'],
    ["mo_sms", '{ time: 2026-01-01, id: "7" }'],
    ["alarm", '{ power_level: "15", network_type: NONE, power_status: CHARGING, power_source: /usb|wireless/i }'],
    ["alarm", '{ power_level: "-1", last_seen: ".250" }'],
    ["flow", '{ flow_name: Order, values: /20417/, phone: "+250781110003" }'],
  ])("%s, %s can hold", (event, where) => {
    sound(story([filter(event, where)]));
    expect(codes(event, where)).toEqual([]);
  });

  it("a number outside the cast is a warning, unless a step of the story is of it", () => {
    const where = '{ phone: "+250799000001" }';
    expect(codes("mo_sms", where)).toEqual(["warning never-holds"]);
    const text = '{ at: 5m, text: { from: "+250799000001", to: v, body: hi } }';
    expect(codes("mo_sms", where, { steps: [text] })).toEqual([]);
    expect(codes("mo_sms", '{ phone: "+25079900000199" }', { steps: [text] })).toEqual(["warning never-holds"]);
  });

  it("a channel's number is one of the handsets', unless a step changes their numbers", () => {
    const where = '{ relayer_phone: "+250799000001" }';
    expect(codes("mo_sms", where)).toEqual(["warning never-holds"]);
    const sim = '{ at: 5m, sim: { of: v/0, phone: "+250799000001" } }';
    expect(codes("mo_sms", where, { steps: [sim] })).toEqual([]);
  });

  it("the story's own events have any fields and values", () => {
    const steps = ["{ at: 5m, event: { of: v/0, type: mo_sms, fields: { phone: v/3, media: photo.jpg } } }"];
    expect(codes("mo_sms", "{ phone: v/3, media: photo }", { steps })).toEqual([]);
    expect(codes("mo_sms", "{ phone: v/3, media: photo }")).toEqual(["error never-holds", "error unknown-event"]);
    const mms = ["{ at: 5m, event: { of: v/0, type: mo_mms } }"];
    expect(codes("mo_mms", "{ media: photo }", { steps: mms })).toEqual([]);
    expect(codes("mo_mms", "{ media: photo }")).toEqual(["warning unknown-event"]);
  });

  it("the fields and words are those of the service's spelling", () => {
    const historic = "service: rapidpro-2016";
    expect(codes("alarm", "{ power_status: DIS, power_source: BAT }", { head: historic })).toEqual([]);
    expect(codes("alarm", "{ power_status: DISCHARGING }", { head: historic })).toEqual(["error never-holds"]);
    expect(codes("mo_sms", "{ contact_name: Ann }", { head: historic })).toEqual([]);
    expect(codes("mo_sms", "{ contact_name: Ann }")).toEqual(["error never-holds"]);
    const sample = "service: { spelling: sample }";
    expect(codes("mo_sms", "{ status: D }", { head: sample })).toEqual(["error never-holds"]);
    expect(codes("mo_sms", "{ status: D }", { head: "service: { spelling: sample, sample-status: true }" })).toEqual(
      [],
    );
    expect(diagnostics(story([filter("mo_sms", '{ sms: "7" }')], sample))).toMatchObject([
      { hint: "it is called 'id' there" },
    ]);
  });

  it("a wrong group or setting is reported once", () => {
    const text = story([filter("mo_sms", '{ phone: "+250799000001", contact_name: Ann }')]);
    const broken = text.replace("count: 8", "count: many").replace("lasts: 3h", "lasts: 3h\nservice: nothing");
    expect(diagnostics(broken).map(({ code }) => code)).toEqual(["unknown-preset", "bad-value"]);
  });
});
