import { describe, expect, it } from "vitest";
import { handReference } from "../../src/scenario/index.js";
import { performHand } from "../../src/lab/index.js";
import { labFor, messageOf } from "./support.js";

const world = `
lasts: 12h
place: { lat: -1.95, lon: 30.06 }
carriers: { mtn: { delay: 1s..2s } }
handsets: { clinic: { count: 20, phone: "+2507880000{00}", battery: 60%, carrier: mtn } }
people: { farmers: { count: 20, phone: "+2507811000{00}", of: clinic } }
traffic: [{ name: storm, texts: { from: farmers, to: clinic, body: hello }, rate: 12/h }]
`;

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe("the verbs of the scenario language", () => {
  const verbs = handReference();

  it.each(verbs)("$name is a method of a lab, and does what the same hand does", async ({ name, example }) => {
    const [lab, other] = [await labFor({ scenario: world }), await labFor({ scenario: world })];
    const method = (lab as unknown as Record<string, (args: unknown) => void>)[camelCase(name)];
    method?.call(lab, example);
    await lab.advance("30m");
    expect(performHand(other.run.lab, other.scenario, { verb: name, args: example })).toEqual([]);
    await other.advance("30m");
    expect(lab.snapshot()).toEqual(other.snapshot());
  });

  it("refuse a flow that the account does not have", async () => {
    const lab = await labFor({ scenario: world });
    const message = await messageOf(() => lab.flow({ person: "farmers/0", flow: "Registration" }));
    expect(message).toMatch(/^flow: there is no flow 'Registration'; the account has no flows/);
  });

  it("act on one handset without of", async () => {
    const lab = await labFor({ scenario: world });
    const phone = lab.handset("clinic/3");
    phone.power({ mains: "off" });
    phone.powerCut({ for: "10m" });
    phone.network({ type: "none" });
    await lab.advance("1m");
    expect(phone.state.link).toBe("none");
    expect(lab.handset("clinic/4").state.link).not.toBe("none");
  });

  it("take people and handsets in place of selectors, and a regular expression in place of a pattern", async () => {
    const lab = await labFor({ scenario: world });
    lab.do("text", { from: String(lab.person("farmers/1")), to: String(lab.handset("clinic/1")), body: "hi" });
    lab.service({ of: "clinic/1", poison: String(/^hi/) });
    await lab.advance("1m");
    expect(lab.events("mo_sms").length).toBeGreaterThanOrEqual(0);
  });

  it("reset with arguments is the verb: the phone loses what it holds, and the lab continues", async () => {
    const lab = await labFor();
    await lab.advance("1h");
    lab.reset({ of: "clinic", down: "5m" });
    await lab.advance("1m");
    expect(lab.nowMs).toBe(3_660_000);
    expect(lab.handset("clinic").state.power.isOn).toBe(false);
  });
});
