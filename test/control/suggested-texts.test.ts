import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { suggestionsAfter } from "../../src/console/page/person/suggestions.js";
import { suggestedTexts } from "../../src/control/phones/suggested-texts.js";
import { accountFile, serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";

const demo = parse(readFileSync("scenarios/demo.yaml", "utf8"));

it("offers what the scenario's people like this one write, and how they answer questions", () => {
  const mill = suggestedTexts(demo, "mill-families/3", "upper-mill/0");
  expect(mill.texts[0]).toBe("fever child 2 days");
  expect(mill.texts).toHaveLength(4);
  // The likely answer first.
  expect(mill.replies).toEqual(["no", "yes", "maybe"]);
});

it("offers quick replies and answers first, then texts, then the keywords of the account", () => {
  const all = {
    texts: ["fever", "cough", "rash"],
    replies: ["no", "yes"],
    quick_replies: ["Yes", "Later"],
    keywords: ["join"],
  };
  const offered = (from: "handset" | "person", text: string, some: Partial<typeof all> = {}) =>
    suggestionsAfter({ from, text }, { ...all, ...some });
  expect(offered("handset", "Will you come?")).toEqual(["Yes", "Later", "no", "fever", "cough", "join"]);
  expect(offered("handset", "Pick one", { replies: [] })).toEqual(["Yes", "Later", "fever", "cough", "join"]);
  expect(offered("handset", "Thank you.", { quick_replies: [] })).toEqual(["fever", "cough", "rash", "join"]);
  expect(offered("person", "Yes")).toEqual(["fever", "cough", "rash", "join"]);
  expect(
    suggestionsAfter(undefined, { texts: [], replies: [], quick_replies: [], keywords: ["join", "stop"] }),
  ).toEqual(["join", "stop"]);
});

it("somebody without traffic writes as the people who text the same handsets; somebody unknown has nothing", () => {
  const amina = suggestedTexts(demo, "amina/0", "old-harbour/2");
  expect(amina.texts).toContain("homa mtoto siku 2");
  expect(amina.replies).toEqual(["hapana", "ndiyo", "sijui"]);
  expect(suggestedTexts(demo, "", undefined)).toEqual({ texts: [], replies: [] });
});

it("offers the quick replies of the flow that waits for a person, and the keywords of the account", async () => {
  const files = ["clinic-account.yaml", "clinic.json"].map((name) => accountFile(`scenarios/flows/${name}`));
  const scenario = parse(`starts: 2026-08-03T06:00:00.000Z
lasts: 3h
handsets: { clinic: { phone: "+447700900001", network: LTE } }
people: { grace: { phone: "+447700900101", of: clinic } }
`);
  const { lab } = await serving({ scenario, accounts: files });
  const suggested = async (): Promise<unknown> => (await lab.done("GET", "/person?who=grace")).suggested;
  expect(await suggested()).toEqual({ texts: [], replies: [], quick_replies: [], keywords: ["clinic", "baby"] });
  await lab.done("POST", "/do/call", { from: "grace", to: "clinic", rings: "20s" });
  await lab.done("POST", "/clock", { step: "5m" });
  expect(await suggested()).toMatchObject({ quick_replies: ["1", "2", "3"] });
  await lab.done("POST", "/do/text", { from: "grace", to: "clinic", body: "2" });
  await lab.done("POST", "/clock", { step: "5m" });
  expect(await suggested()).toMatchObject({ quick_replies: [] });
});
