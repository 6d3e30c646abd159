import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { serve, type Served } from "../../src/index.js";
import { parseScenario } from "../../src/scenario/index.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { watch } from "./chromium.js";
import { goToPlace, openConsole } from "./console-places.js";
import { WAIT_MS } from "../support/hang-guard.js";

const LAB_TOKEN = "a-token-of-the-lab";
let lab: Served;

beforeAll(async () => {
  lab = await serveLab();
});
afterAll(() => lab.close());
it("opens by the link, and keeps the token out of the address", async () => {
  const page = await openConsole(lab);
  expect(page.url()).toBe(`${lab.url}/console/#/fleet`);
  expect(await page.title()).toBe("Fleet · District");
  expect(await page.content()).not.toContain(LAB_TOKEN);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
});

it("says how to get a link when there is no token, and when it is refused", async () => {
  const { page } = await watch(`${lab.url}/console/`);
  const field = page.getByLabel("Link or lab token");
  await page.getByText("prints at its start").waitFor();
  await field.fill("another-token");
  await field.press("Enter");
  await page.getByText("The lab does not know this token").waitFor();
  await field.fill(`${lab.url}/console/#token=${LAB_TOKEN}`);
  await field.press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
});

it("pauses, steps and speeds up the clock", async () => {
  const page = await openConsole(lab);
  const time = page.locator(".clock-time");
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
  const [hours = 0, minutes = 0] = (await time.innerText()).split(":").map(Number);
  await page.getByRole("button", { name: "Step" }).click();
  await page.getByRole("button", { name: "10 minutes" }).click();
  const after = hours * 60 + minutes + 10;
  const two = (value: number): string => String(value).padStart(2, "0");
  await expect.poll(() => time.innerText()).toContain(`${two(Math.floor(after / 60))}:${two(after % 60)}:`);
  await page.getByRole("button", { name: "Speed" }).click();
  await page.getByRole("button", { name: "300×" }).click();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  // Not while the request before it is under way: the button then takes no press.
  await page.getByRole("button", { name: "Pause", exact: true, disabled: false }).click();
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Speed" }).innerText()).toContain("300×");
});

it("goes anywhere by keys", async () => {
  const page = await openConsole(lab);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await goToEventsByKeys(page);
  await page.keyboard.press("/");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially("clinic/1");
  await page.getByRole("option", { name: "clinic/1" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/handset\/clinic\/1$/);
  // A name that begins like the handsets, behind more people than one request searches.
  await page.keyboard.press("/");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially("clini");
  await page.getByRole("option", { name: "Clinique Moyo" }).click();
  await page.waitForURL(/#\/person\/last/);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys and help" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

it("keeps quiet about letters when they are turned off, now and after a reload", async () => {
  const page = await openConsole(lab);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys and help" });
  await help.getByRole("switch", { name: "Keys without Ctrl" }).click();
  await expect.poll(() => help.textContent()).not.toContain("This help");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  for (const key of ["g", "e", "?", "/"]) await page.keyboard.press(key);
  // The last key does something: those before it have been heard.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Jump to" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(page.url()).toBe(`${lab.url}/console/#/fleet`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keys and help" }).click();
  await help.getByRole("switch", { name: "Keys without Ctrl" }).click();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await goToEventsByKeys(page);
});

it("presents by a key, larger and without engineering words, and the address alone keeps it", async () => {
  const page = await openConsole(lab);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const type = (): Promise<string> => page.evaluate("getComputedStyle(document.documentElement).fontSize");
  expect(await type()).toBe("16px");
  await page.keyboard.press("p");
  await page.getByText("Waiting on phones").waitFor();
  expect(page.url()).toBe(`${lab.url}/console/?present#/fleet`);
  expect(await type()).toBe("20px");
  for (const place of ["fleet", "events", "handset/clinic/0"]) {
    await goToPlace(page, place);
    const words = await page.locator("body").innerText();
    for (const word of [
      "p50",
      "ms",
      "Failed tries",
      "receiver",
      "API",
      "mo_sms",
      "curl",
      "Syncs",
      "Doze",
      "clinic/0\\.\\.9",
      "200",
    ])
      expect(words, place).not.toMatch(new RegExp(`\\b${word}\\b`));
  }
  await goToPlace(page, "fleet");
  expect(await faultsOf(page, { except: ["main"] })).toEqual([]);
  await page.reload();
  await page.getByText("Waiting on phones").waitFor();
  // What is open is closed first.
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url()).toContain("?present");
  await page.keyboard.press("Escape");
  await page.getByText("Failed tries").waitFor();
  expect(page.url()).toBe(`${lab.url}/console/#/fleet`);
});

it("keeps the chosen colours", async () => {
  const page = await openConsole(lab);
  await page.getByRole("button", { name: "Colours" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
});

it("has no fault that axe finds, light and dark, wide and narrow", async () => {
  const page = await openConsole(lab);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await useScheme(page, colorScheme);
      // Views have tests of their own.
      expect(await faultsOf(page, { except: ["main"] }), `${colorScheme} ${width}`).toEqual([]);
    }
  }
});

it("fits screens of 320 pixels, and keeps one line of totals on a projector, however long a beat's name is", async () => {
  const page = await openConsole(lab);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole("navigation", { name: "Story" }).waitFor();
  expect((await page.locator(".shell-status").boundingBox())?.height).toBeLessThan(80);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const view of ["fleet", "events", "person", "story"]) {
    await goToPlace(page, view);
    expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBe(320);
  }
});

it("says that the connection is lost, and comes back to another lab without rows of before", async () => {
  const { page } = await watch(`${lab.url}/console/#token=${LAB_TOKEN}`);
  await page.getByText("Live", { exact: true }).waitFor();
  const port = Number(new URL(lab.url).port);
  await lab.close();
  await page.getByText("The connection to the lab is lost.").waitFor();
  expect(await page.getByRole("button", { name: /^(Pause|Resume)$/ }).getAttribute("aria-disabled")).toBe("true");
  lab = await serveLab({ name: "Province", port });
  await page
    .getByRole("button", { name: "Try now" })
    .click({ timeout: 2000 })
    .catch(() => undefined);
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => page.locator(".shell-brand").innerText()).toContain("Province");
});

/** On a busy machine the second key may come too late: then the pair is pressed again. */
async function goToEventsByKeys(page: Page): Promise<void> {
  await vi.waitFor(
    async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("e");
      await page.waitForURL(/#\/events$/, { timeout: 1000 });
    },
    { timeout: WAIT_MS },
  );
}

function serveLab({ name = "District", port = 0 } = {}): Promise<Served> {
  const { scenario } = parseScenario(
    `{ name: ${name}, lasts: 1d, handsets: { clinic: { count: 3, phone: "+2507880{00000}" } }, people: {
      farmers: { count: 12000, phone: "+2507811{00000}" }, last: { phone: "+250722000000", name: Clinique Moyo } },
      story: [{ at: 8h, beat: { name: The day on which nothing at all goes as it was planned } }] }`,
    {
      file: "one.yaml",
      nowMs: 0,
    },
  );
  if (scenario === undefined) throw new Error("the scenario does not parse");
  return serve({ scenario, labToken: LAB_TOKEN, isPaused: true, receiver: "none", port });
}
