import { describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

describe("a list of URNs with a bad one", () => {
  const invalid = "Invalid URN: tel:0788123123. Phone numbers need their country code.";
  const taken = "URN belongs to another contact: tel:+254711000222";

  it.each([
    ["flat", { urns: [invalid] }, { urns: [taken] }],
    ["indexed", { urns: { 1: [invalid] } }, { urns: { 1: [taken] } }],
  ] as const)("is refused in the form %s", async (urnErrors, refused, inUse) => {
    const rig = await Rig.start({ urnErrors });
    await rig.post("contacts.json", { urns: ["tel:+254711000222"] });
    for (const [path, body] of [
      ["contacts.json", {}],
      ["broadcasts.json", { text: "Hi" }],
      ["flow_starts.json", { flow: "5079cb96-a1d8-4f47-8c87-d8c7bb6ddab9" }],
    ] as const) {
      const answer = await rig.post(path, { ...body, urns: ["tel:+254711000333", "tel:0788123123"] });
      expectConforming(rig, `POST ${path}`, answer);
      expect(answer).toMatchObject({ status: 400, body: refused });
    }
    const answer = await rig.post("contacts.json", { urns: ["tel:+254711000333", "tel:+254711000222"] });
    expect(answer).toMatchObject({ status: 400, body: inUse });
    // Errors of the list itself and of references have no index.
    expect((await rig.post("contacts.json", { urns: "x", groups: ["Nobody"] })).body).toEqual({
      urns: ['Expected a list of items but got type "str".'],
      groups: ["No such object: Nobody"],
    });
  });
});
