import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve, type Served } from "../../src/index.js";
import { Client } from "../end-to-end/served.js";
import { parse, play } from "../end-to-end/support.js";
import { faultsOf } from "./accessibility.js";
import { open, watch } from "./chromium.js";
import { openConsole } from "./console-places.js";

const LAB_TOKEN = "a-token-of-the-lab";
const HOSTILE = `<img src=x onerror="document.title='broken'"> <b>bold</b>`;
let served: Served;
let lab: Client;

/** One text that the service gets four times, and later texts that tests send. The clock stands. */
beforeAll(async () => {
  const text = readFileSync(new URL("../../scenarios/lost-answers.yaml", import.meta.url), "utf8");
  served = await serve({ scenario: parse(text), isPaused: true, receiver: "bundled", labToken: LAB_TOKEN });
  lab = new Client(`${served.url}/lab`, LAB_TOKEN);
  await lab.done("POST", "/clock", { step: "55m" });
});
afterAll(() => served.close());
it("lists events, filters them by the address, and shows new ones as they come", async () => {
  const page = await openConsole(served, "events");
  await row(page, "1/4").waitFor();
  expect(await page.getByRole("row").count()).toBe(5);
  await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body: HOSTILE });
  await lab.done("POST", "/clock", { step: "1m" });
  await row(page, "1/5").waitFor();
  expect(await row(page, "1/5").textContent()).toContain(HOSTILE);
  expect(await page.locator("main img, main b").count()).toBe(0);
  await page.getByLabel("Search in fields").fill("12 BAGS");
  await page.getByText("4 events found").waitFor();
  await expect.poll(() => page.url()).toContain("#/events?contains=12+BAGS");
  await page.reload();
  await page.getByText("4 events found").waitFor();
  await page.getByRole("textbox", { name: "Person" }).fill("workers/1");
  await page.getByText("No event matches").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await row(page, "1/5").waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

it("asks once for what is refused, and says why", async () => {
  const { page } = await watch(`${served.url}/console/#token=${LAB_TOKEN}`);
  await page.getByText("Live", { exact: true }).waitFor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/lab/events?")) asked.push(request.url());
  });
  await page.evaluate(`location.hash = "#/events?person=nobody"`);
  await page.getByText(/names no group of people/).waitFor();
  // Two turns of what asks every second.
  const lookAt = performance.now() + 2100;
  await expect.poll(() => performance.now() > lookAt).toBe(true);
  expect(asked).toHaveLength(1);
});

it("keeps a filtered list true while deliveries change", async () => {
  await lab.done("POST", "/do/receiver", { answers: "500" });
  const page = await openConsole(served, "events?outcome=retried");
  const accepted = await openConsole(served, "events?outcome=accepted&contains=changing");
  await page.getByText("No event matches").waitFor();
  await accepted.getByText("No event matches").waitFor();
  await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body: "changing" });
  await lab.done("POST", "/clock", { step: "1m" });
  // It began to match after it was made.
  const line = page.getByRole("row").filter({ hasText: "changing" });
  await line.filter({ hasText: "Will retry" }).waitFor();
  await lab.done("POST", "/do/receiver", { answers: "ok" });
  await lab.done("POST", "/clock", { step: "3h" });
  await line.filter({ hasText: "Accepted" }).waitFor();
  await accepted.getByRole("row").filter({ hasText: "changing" }).waitFor();
});

it("the keys stay on a row while new ones come above it", async () => {
  const page = await openConsole(served, "events");
  const list = page.getByRole("grid", { name: "Events" });
  const chosen = list.locator("[aria-selected=true]");
  await row(page, "1/4").waitFor();
  while (!(await chosen.allTextContents()).some((text) => text.endsWith("1/4"))) await list.press("ArrowDown");
  await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body: "above" });
  await lab.done("POST", "/clock", { step: "1m" });
  await list.getByText("above").first().waitFor();
  expect(await chosen.textContent()).toMatch(/1\/4$/);
  await list.press("Enter");
  await page.getByRole("complementary").getByRole("heading", { name: "Event 1/4" }).waitFor();
});

it("keeps every column in sight beside an open event, and its filters behind a button", async () => {
  const page = await openConsole(served, "events?open=event:1%2F2");
  const list = page.getByRole("grid", { name: "Events" });
  await page.getByRole("complementary").getByRole("heading", { name: "Event 1/2" }).waitFor();
  await list.getByRole("row").nth(1).waitFor();
  expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await list.getByRole("columnheader", { name: "Text" }).isVisible()).toBe(true);
  expect(await list.getByRole("columnheader", { name: "Tries" }).isVisible()).toBe(false);
  expect(await page.getByLabel("Status").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Status").selectOption("5xx");
  await page.getByRole("button", { name: "Filter (1)" }).waitFor();
});

it("cuts the group of a name where a column is narrow, not its number", async () => {
  const page = await openConsole(served, "events?open=event:1%2F2");
  const cell = page
    .getByRole("grid", { name: "Events" })
    .getByRole("gridcell")
    .filter({ hasText: "workers/2" })
    .first();
  const edges = await cell.evaluate((shown) => {
    shown.style.inlineSize = "3.5rem";
    const number = shown.querySelector("span > span:last-child");
    return { cell: shown.getBoundingClientRect().right, number: number?.getBoundingClientRect().right };
  });
  expect(edges.number).toBeLessThanOrEqual(edges.cell);
});

it("explains a duplicate from the list, with its original beside it", async () => {
  const page = await openConsole(served, "events");
  await row(page, "1/2").click();
  const beside = page.getByRole("complementary");
  await beside.getByText("Event 1/2 is a copy of 1/1: the network lost the service's answer").waitFor();
  expect(await page.getByRole("row").and(page.locator('[aria-current="true"]')).count()).toBe(1);
  await page.goto(`${served.url}/console/#/chain/1%2F2`);
  const main = page.getByRole("main");
  await main.getByRole("heading", { name: "Event 1/2" }).waitFor();
  const table = main.getByRole("table");
  expect(await table.getByRole("row", { name: /^sms/ }).textContent()).toBe("sms10485771048578");
  const attempt = main.getByRole("listitem").filter({ hasText: "Attempt" }).nth(1);
  await attempt.getByText("Request and answer").click();
  await attempt.getByText("Body as sent").click();
  expect(await attempt.locator("pre").first().textContent()).toContain("text=12+bags");
  expect(await faultsOf(page)).toEqual([]);
  await table.getByRole("link", { name: "1/1" }).click();
  await main.getByRole("heading", { name: "Event 1/1" }).waitFor();
});

it("copies a request as curl, and sends an event again after asking", async () => {
  const page = await openConsole(served, "chain/1%2F3");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as curl" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("--data-raw 'event=mo_sms&relayer=1");
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This sends a real request").waitFor();
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Event 1/3 was sent again, as try 2.").waitFor();
  await page.getByText("Sent again by hand", { exact: true }).waitFor();
});

it("makes a scenario that plays the same", async () => {
  const page = await openConsole(served, "chain/1%2F2");
  await page.getByRole("button", { name: "Make a scenario" }).click();
  const yaml = await page.getByLabel("The scenario as YAML").textContent();
  expect(await faultsOf(page)).toEqual([]);
  const { exitCode, result } = await play(yaml ?? "");
  expect([exitCode, result.events["mo_sms"]]).toEqual([0, 4]);
});

it("says what it does not find", async () => {
  const { status, body } = await lab.get("/chain?id=7/7");
  expect(status).toBe(404);
  const page = await (await open(`${served.url}/console/#token=${LAB_TOKEN}`)).context().newPage();
  await page.goto(`${served.url}/console/#token=${LAB_TOKEN}`);
  await page.goto(`${served.url}/console/#/chain/7%2F7`);
  await page.getByText("No event, message or call has the id 7/7").waitFor();
  await page.getByText(body.detail as string).waitFor();
});

function row(page: Page, id: string): Locator {
  return page.getByRole("row").filter({ has: page.getByText(id, { exact: true }) });
}
