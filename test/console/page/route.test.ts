import { expect, it } from "vitest";
import { jumpTargets } from "../../../src/console/page/shell/jump-targets.js";
import {
  besideOf,
  linkBeside,
  linkTo,
  linkToChain,
  linkToHandset,
  linkToPerson,
  readRoute,
} from "../../../src/console/page/navigation/route.js";

it("reads what the links have", () => {
  expect(readRoute(linkToHandset("clinic/3"))).toMatchObject({ view: "handset", words: ["clinic", "3"] });
  expect(readRoute(linkToChain("3/17"))).toMatchObject({ view: "chain", words: ["3/17"] });
  expect(readRoute(linkToPerson("+250788000001"))).toMatchObject({ view: "person", words: ["+250788000001"] });
  const events = readRoute(linkTo("events", [], { search: "a&b=c" }));
  expect(events.query.get("search")).toBe("a&b=c");
});

it("shows the fleet for an address that it does not know", () => {
  for (const hash of ["", "#", "#/", "#/nowhere/3", "#/%E0%A4%A"])
    expect(readRoute(hash)).toMatchObject({ view: "fleet", words: [] });
  expect(readRoute("#/handset/%E0%A4%A").words).toEqual(["%E0%A4%A"]);
});

it("opens something beside a view and closes it", () => {
  const fleet = readRoute("#/fleet?group=clinic");
  const opened = readRoute(linkBeside(fleet, "clinic/3"));
  expect(opened.query.get("group")).toBe("clinic");
  expect(besideOf(opened)).toMatchObject({ view: "handset", words: ["clinic", "3"] });
  expect(besideOf(readRoute(linkBeside(opened, "event:3/17")))).toMatchObject({ view: "chain", words: ["3/17"] });
  expect(linkBeside(opened, undefined)).toBe("#/fleet?group=clinic");
  expect(besideOf(fleet)).toBeUndefined();
});

it("jumps to views, handsets, ids and numbers", () => {
  const views = [
    ["fleet", "Fleet"],
    ["events", "Events"],
  ] as const;
  const groups = [
    { name: "clinic", label: "clinic", firstChannel: 1, firstIndex: 0, count: 12 },
    { name: "depot", label: "depot", firstChannel: 13, firstIndex: 0, count: 1 },
  ];
  const hrefs = (text: string): string[] => jumpTargets(text, { views, groups }).map(({ href }) => href);
  expect(hrefs("")).toEqual(["#/fleet", "#/events"]);
  expect(hrefs("eve")).toEqual(["#/events"]);
  expect(hrefs("clinic/11")).toEqual(["#/handset/clinic/11"]);
  expect(hrefs("Clinic 3")).toEqual(["#/handset/clinic/3"]);
  expect(hrefs("clinic/12")).toEqual([]);
  expect(hrefs("depot")).toEqual(["#/handset/depot/0"]);
  expect(hrefs("3/17")).toEqual(["#/chain/3%2F17"]);
  expect(hrefs("+250788000001")).toEqual(["#/person/%2B250788000001"]);
});
