import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openRecording, type ServeOptions } from "../../src/index.js";
import { type ServedLab, serveReady } from "../end-to-end/served.js";
import { temporaryFolder } from "../support/folder.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { watch } from "./chromium.js";
import { goToPlace, openConsole } from "./console-places.js";

/** The ready account, with a paused clock, and the console at a place. */
async function consoleAt(place: string, options: ServeOptions = {}): Promise<{ page: Page; lab: ServedLab }> {
  const lab = await serveReady(options);
  return { page: await openConsole(lab.served, place), lab };
}

it("a text of somebody new goes to the handset and is answered", async () => {
  const { page, lab } = await consoleAt("person");
  await page.getByLabel("Phone number").fill("+250 788 123 456");
  await page.getByRole("button", { name: "Open their phone" }).click();
  const theirs = page.getByRole("region", { name: "The person's phone" });
  const ours = page.getByRole("region", { name: "The handset's phone" });
  const way = page.getByRole("region", { name: "The path of the newest text" });
  await way.getByText("No text yet").waitFor();

  // Markup, another direction and controls stay text.
  const text = '<img src=x onerror="document.title=1"> \u202Eabc\u200B مرحبا 😀';
  await page.getByLabel("Text to clinic/0").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await theirs.getByText(text).waitFor();
  expect(await ours.getByText(text).count()).toBe(0);
  expect(await theirs.getByText(text).evaluate((shown) => getComputedStyle(shown).unicodeBidi)).toBe("isolate");

  await lab.step("1m");
  await ours.getByText(text).waitFor();
  await lab.lab.done("POST", "/do/send", { via: "clinic/0", to: "+250788123456", body: "We are open." });
  await lab.step("2m");
  await theirs.getByText("We are open.").waitFor();
  await way.getByText("Person has it").waitFor();
  expect(await page.title()).not.toBe("1");
  expect(await page.locator("img[src=x]").count()).toBe(0);
});

it("who has read far up sees what they write", async () => {
  const lab = await serveReady();
  for (let i = 0; i < 12; i++)
    await lab.lab.done("POST", "/do/text", { from: "+12065550110", to: "clinic/0", body: `text ${i}` });
  await lab.step("1m");
  const page = await openConsole(lab.served, `person/${encodeURIComponent("+12065550110")}?with=clinic/0`);
  const thread = page.getByRole("region", { name: "Texts on the person's phone, newest first" });
  await thread.getByText("text 0", { exact: true }).waitFor();
  const scrolled = (): Promise<number> => thread.evaluate(({ scrollTop }) => scrollTop);
  await thread.hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -400);
      return scrolled();
    })
    .toBeLessThan(0);
  await page.getByLabel("Text to clinic/0").fill("the newest");
  await page.keyboard.press("Enter");
  await thread.getByText("the newest").waitFor();
  await expect.poll(scrolled).toBe(0);
});

it("knobs are recorded as inputs, say when, and a dead phone says why it is black", async () => {
  const database = join(temporaryFolder(), "lab.db");
  const { page, lab } = await consoleAt("handset/clinic/0", { database });
  await page.getByRole("switch", { name: "Airplane mode" }).click();
  await page.getByText("Airplane mode is on, since").waitFor();
  await page.getByText("The phone is in airplane mode: nothing is relayed.").waitFor();
  await page.getByRole("switch", { name: "Airplane mode", checked: true }).click();
  await page.getByText("Airplane mode is off, since").waitFor();
  await page.getByText("It relays over LTE.").waitFor();
  await page.getByRole("switch", { name: "Mains" }).click();
  await page.getByText("Mains are off, since").waitFor();
  await page.getByRole("slider").fill("0");
  await page.getByText("The phone is off", { exact: true }).waitFor();
  expect(await page.getByText("Its battery is empty. It starts when there is power again.").count()).toBeGreaterThan(0);

  const handset = (await lab.lab.done("GET", "/handset?of=clinic/0")) as { power: object; conditions: object };
  expect(handset).toMatchObject({ power: { on: false, level: 0 }, conditions: { mains: false, airplane: false } });

  const recording = openRecording(database);
  const hands = [...recording.inputs()]
    .filter(({ kind }) => kind === "hand")
    .map(({ json }) => JSON.parse(json) as object);
  recording.close();
  const of = "clinic/0";
  expect(hands).toEqual([
    { verb: "airplane", args: { of, state: "on" } },
    { verb: "airplane", args: { of, state: "off" } },
    { verb: "power", args: { of, mains: "off" } },
    { verb: "battery", args: { of, level: "0%" } },
  ]);
});

it("has no fault that axe finds, light and dark, wide and narrow", async () => {
  const { page } = await consoleAt("handset/clinic/0");
  for (const [place, width, colorScheme] of [
    ["handset/clinic/0", 1280, "light"],
    ["handset/clinic/0", 390, "dark"],
    ["person/people%2F3?with=clinic%2F0", 1280, "dark"],
    ["person/people%2F3?with=clinic%2F0", 390, "light"],
    ["person", 390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await useScheme(page, colorScheme);
    await goToPlace(page, place);
    const name = place.startsWith("handset") ? "clinic/0" : /Fauvet|People/;
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect([place, await faultsOf(page)]).toEqual([place, []]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
});

it("leads from the total of lost texts to each with its cause and time, and on to the person", async () => {
  const { page, lab } = await consoleAt("fleet");
  await lab.lab.done("POST", "/do/carrier", { of: "clinic/0", loses: "texts" });
  await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "can anyone hear me?" });
  await lab.step("1m");
  await page.getByRole("link", { name: "Lost texts: 1" }).click();
  await page.getByRole("heading", { level: 1, name: "Lost texts and calls" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: "can anyone hear me?" });
  await row.getByText("The carrier lost it").waitFor();
  expect(await row.locator("time").getAttribute("datetime")).toBe("2026-03-04T06:00:00.000Z");
  await row.getByRole("link", { name: /Fauvet/ }).click();
  await page.getByRole("heading", { level: 1, name: /Fauvet/ }).waitFor();
  await page.getByText("The carrier lost it. Neither phone can know.").waitFor();
});

it("says that a handset or a person does not exist, and offers others", async () => {
  const { served } = await serveReady();
  const { page } = await watch(`${served.url}/console/#token=${served.labToken}`);
  await goToPlace(page, "person/nobody%2F9");
  await page.getByText("This lab has no person nobody/9").waitFor();
  await page.getByRole("link", { name: "Choose a person" }).waitFor();
  for (const name of ["nothing/9", "clinic/99"]) {
    await goToPlace(page, `handset/${name}`);
    await page.getByText(`This lab has no handset ${name}`).waitFor();
  }
  await page.getByRole("link", { name: "clinic/0" }).click();
  await page.getByRole("heading", { name: "clinic/0", level: 1 }).waitFor();
});
