import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { type ServedLab, serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";
import { watch } from "./chromium.js";
import { consolePlaces, goToPlace } from "./console-places.js";

/** Markup that would run, and what would show that it was interpreted: elements of the class `evil`. */
const evil = `<img class=evil src=x onerror=hurt()><script class=evil>hurt()</script>`;
const evilName = `A <img class=evil src=x onerror=hurt()>`;
const link = `javascript:hurt()`;

const scenario = `
name: ${JSON.stringify(evilName)}
lasts: 1d
starts: 2026-03-04T06:00:00.000Z
handsets: { clinic: { count: 2, phone: "+1206555010{0}" } }
people: { people: { count: 30, phone: "+120655501{10}", name: ${JSON.stringify(evilName)} } }
`;

/** An account whose every name and text is hostile. */
const account = JSON.stringify({
  account: { name: evilName },
  groups: [{ name: evilName }],
  labels: [evilName],
  fields: { note: { type: "text" } },
  contacts: [{ name: evilName, urns: ["tel:+12065550110"], groups: [evilName], fields: { note: evil } }],
  resthooks: ["stock-low"],
});

const flow = {
  uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a11",
  name: evilName,
  spec_version: "13.1.0",
  language: "eng",
  type: "messaging",
  nodes: [
    {
      uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a12",
      actions: [{ uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a13", type: "send_msg", text: evil }],
      router: {
        type: "switch",
        operand: "@input.text",
        wait: { type: "msg" },
        result_name: evilName,
        cases: [],
        categories: [
          {
            uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a15",
            name: evilName.slice(0, 36),
            exit_uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a14",
          },
        ],
        default_category_uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a15",
      },
      exits: [{ uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a14" }],
    },
  ],
};

/** A receiver whose answers are hostile, in head and body. */
async function hostileReceiver(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(500, { "x-evil": evil, "content-type": "text/html", location: link });
    response.end(evil);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURIComponent(evilName)}`;
}

async function hostileLab(): Promise<ServedLab> {
  const lab = await serving({ scenario: parse(scenario), receiver: await hostileReceiver() });
  await lab.lab.done("POST", "/account", account);
  await lab.lab.done("POST", "/account", JSON.stringify({ version: "13", flows: [flow], campaigns: [], triggers: [] }));
  await lab.api.done("POST", "groups.json", { name: `${evilName}2` });
  await lab.api.done("POST", "campaigns.json", { name: evilName, group: evilName });
  await lab.api.done("POST", "broadcasts.json", { text: evil, groups: [evilName] });
  await lab.api.done("POST", "flow_starts.json", { flow: flow.uuid, groups: [evilName] });
  await lab.lab.done("POST", "/do/note", { text: evil });
  await lab.lab.done("POST", "/do/text", { from: "people/0", to: "clinic/0", body: evil });
  await lab.lab.done("POST", "/resthooks", { resthook: "stock-low", data: { [evil]: evil, link } });
  await lab.lab.done("POST", "/do/event", { of: "clinic/1", type: "mo_mms", fields: { phone: evil, media: link } });
  await lab.step("1m");
  return lab;
}

/** Notes what ran, and what the page's policy stopped. */
const alarm = `
  window.hurts = [];
  window.hurt = () => hurts.push("ran");
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    hurts.push(violatedDirective + " " + blockedURI));
`;

/** Types the hostile text into each field that is shown. */
async function typeEverywhere(page: Page): Promise<void> {
  const fields = page.locator(
    "main input:is([type=text], [type=tel], [type=search], [type=url], :not([type])):visible, main textarea:visible",
  );
  for (const field of await fields.all()) {
    // Fields may go when another one is typed into.
    if (await field.isEditable({ timeout: 1000 }).catch(() => false)) await field.fill(evil, { timeout: 2000 });
  }
}

it("hostile names, texts and answers are shown as they are in every view, and nothing runs", async () => {
  const lab = await hostileLab();
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`, { script: alarm });
  page.on("dialog", (dialog) => void dialog.dismiss());
  const problems: string[] = [];
  let shown = 0;
  for (const [name, place] of Object.entries(await consolePlaces(lab))) {
    await goToPlace(page, place);
    await typeEverywhere(page);
    const found: { hurts: string[]; elements: number; links: number; isShown: boolean } = await page.evaluate(`({
      hurts: hurts.splice(0),
      elements: document.querySelectorAll(".evil, [onerror], [onload]").length,
      links: document.querySelectorAll("a[href^='javascript:'], [src^='javascript:']").length,
      isShown: document.body.innerText.includes("<img class=evil"),
    })`);
    if (found.isShown) shown++;
    for (const hurt of found.hurts) problems.push(`${name}: ${hurt}`);
    if (found.elements > 0) problems.push(`${name}: ${found.elements} elements were made of a text`);
    if (found.links > 0) problems.push(`${name}: ${found.links} links run a script`);
  }
  expect(problems).toEqual([]);
  expect(await page.title()).not.toContain("undefined");
  // To the browser's console a refused request is an error.
  expect(faults.filter((fault) => !/status of 40[04]/.test(fault))).toEqual([]);
  // The names come up in most views, so their text was there to be interpreted.
  expect(shown).toBeGreaterThan(8);
});

it("a place that is markup is shown as text", async () => {
  const lab = await serving({ scenario: parse(scenario) });
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  for (const view of ["handset", "person", "chain", "service/contacts", "service/flows", "events", "story"]) {
    await goToPlace(page, `${view}/${encodeURIComponent(evil)}?search=${encodeURIComponent(evil)}`);
    expect(await page.locator(".evil").count()).toBe(0);
  }
  expect(faults.filter((fault) => !/status of 40[04]/.test(fault))).toEqual([]);
});
