import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { openConsole } from "./console-places.js";

const STORY = `name: Two moments
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
receiver: { application: ${resolve("scenarios/health-line/application.mjs")} }
handsets:
  clinic: { count: 2, phone: "+2507880{000}", network: WIFI }
people:
  farmers: { count: 2, phone: "+2507811{000}", of: clinic }
story:
  - { at: 30m, text: { from: farmers/0, to: clinic/0, body: fever child 2 days } }
  - { at: 30m, expect: { person: farmers/0, hears: /danger sign/, within: 10m } }
  - { at: 1h, beat: { name: First <b>moment</b>, about: It has a name } }
  - { at: 2h, beat: { name: Second moment } }
expect:
  - alarms > 5
`;

it("jumps to a beat and back, shows expectations as they are decided, and starts another scenario", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "other.yaml"), STORY.replace("Two moments", "Another story"));
  writeFileSync(join(folder, "broken.yaml"), STORY.replace("lasts: 3h", "lasts: 3"));
  const lab = await serving({ scenario: parse(STORY), receiver: "bundled", folder });
  const page = await openConsole(lab.served, "story");
  await page.getByRole("heading", { level: 1, name: "Two moments" }).waitFor();
  const expectations = page.getByRole("region", { name: "Expectations" });
  await expectations.getByText("2 open").waitFor();

  // Names are text.
  const moments = page.getByRole("region", { name: "Jump to a moment" });
  const first = moments.getByRole("button", { name: "First <b>moment</b>" });
  await first.click();
  await expect.poll(() => first.getAttribute("aria-current")).toBe("step");
  await expectations.getByText("1 held").waitFor();
  await expectations.getByText(/Seen: once, at 06:30/).waitFor();
  await moments.getByRole("button", { name: "Second moment" }).click();
  await page.getByRole("region", { name: "Notes" }).getByText("First <b>moment</b>: It has a name").waitFor();

  await first.click();
  await page.getByRole("dialog").getByRole("button", { name: "Begin again and go there" }).click();
  await expect.poll(() => first.getAttribute("aria-current")).toBe("step");
  await page.getByText("Beats and notes of the story appear here").waitFor();

  const scenarios = page.getByRole("region", { name: "Scenarios" });
  await scenarios.getByText(/broken\.yaml:3:8: error\[wrong-unit\]/).waitFor();
  await scenarios.getByLabel("Search scenarios").fill("another story");
  await expect.poll(() => scenarios.getByRole("listitem").count()).toBe(1);
  await scenarios.getByRole("button", { name: "Start Another story" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start it" }).click();
  await page.getByRole("heading", { level: 1, name: "Another story" }).waitFor();
  await expectations.getByText("2 open").waitFor();

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
  await page.getByText("The scenario is stopped.").waitFor();
  await expectations.getByText("2 broken").waitFor();
});

it("says above every view what the scenario is, is one line after the first key, and plays the next beat", async () => {
  const scenario = parse(STORY.replace("lasts: 3h", "about: Two phones. Watch what a moment does.\nlasts: 3h"));
  const lab = await serving({ scenario, receiver: "bundled", folder: temporaryFolder() });
  await lab.lab.done("POST", "/clock", { paused: true });
  const page = await openConsole(lab.served, "fleet");
  const strip = page.getByRole("navigation", { name: "Story" });
  const sentence = strip.getByText("Two phones. Watch what a moment does.");
  const heightOf = async (): Promise<number> => (await strip.boundingBox())?.height ?? 0;
  for (const width of [1920, 1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await sentence.waitFor();
    await strip.getByText("Next at 07:00").waitFor();
    await strip.getByRole("button", { name: "Play First <b>moment</b>" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
  await page.keyboard.press("x");
  await sentence.waitFor({ state: "detached" });
  expect(await heightOf()).toBeLessThan(60);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await heightOf()).toBeLessThan(50);

  // A press means that it plays: the paused clock runs again.
  await strip.getByRole("button", { name: "Play First <b>moment</b>" }).click();
  await strip.getByRole("button", { name: "Play Second moment" }).waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  // The playhead goes from beat to beat with keys, and back into the past.
  const playhead = strip.getByRole("slider", { name: "Time of the scenario" });
  await playhead.focus();
  await playhead.press("ArrowRight");
  expect(await playhead.getAttribute("aria-valuetext")).toBe("08:00, Second moment, of 06:00 to 09:00");
  await playhead.press("Enter");
  await strip.getByRole("link", { name: "All moments" }).waitFor();
  await playhead.press("Home");
  await playhead.press("Enter");
  await page.getByRole("region", { name: "The past" }).getByRole("slider", { name: "Moment" }).waitFor();
  await expect.poll(() => page.getByText("Past", { exact: true }).count()).toBeGreaterThan(0);
  // One playhead: the one of the past.
  await playhead.waitFor({ state: "detached" });
});

it("says before a repeating scenario begins again, can keep it, and then keeps what is being written", async () => {
  const lab = await serving({
    scenario: parse(STORY),
    receiver: "bundled",
    isRepeating: true,
    folder: temporaryFolder(),
  });
  await lab.lab.done("POST", "/story", { at: "2h50m" });
  const page = await openConsole(lab.served, "person/farmers/0");
  await page.setViewportSize({ width: 390, height: 780 });
  const field = page.getByRole("textbox", { name: "Text to clinic/0" });
  await field.fill("fever");
  const notice = page.getByText("Two moments ends and begins again");
  expect(await notice.count()).toBe(0);
  await lab.lab.done("POST", "/clock", { paused: false, speed: 60 });
  await page.getByRole("button", { name: "Pause and keep it" }).click();
  await notice.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();

  await page.getByRole("tab", { name: "Calls" }).click();
  await page.getByRole("button", { name: "Call, no answer" }).click();
  const said = page.getByText("clinic/0 rings for 20 s");
  await said.waitFor();
  await page.getByRole("tab", { name: "Texts" }).click();
  await field.focus();
  await lab.lab.done("POST", "/clock", { paused: false, speed: 3600 });
  const again = page.getByText("Two moments has begun again");
  await again.waitFor();
  expect(await said.count()).toBe(0);
  await field.and(page.locator(":focus")).waitFor();
  expect(await field.inputValue()).toBe("fever");
  // On a narrow screen what is said stands above what is written.
  const [toast, box] = [await again.boundingBox(), await field.boundingBox()];
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(box?.y ?? 0);
});

it("scrolls the view alone, and the times under its line keep apart on a narrow screen", async () => {
  const lab = await serving({ scenario: parse(STORY), receiver: "bundled", folder: temporaryFolder() });
  await lab.lab.done("POST", "/story", { at: "31m" });
  const page = await openConsole(lab.served, "story");
  const beats = page.getByRole("region", { name: "Jump to a moment" });
  for (const [width, height] of [
    [390, 800],
    [1280, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    await beats.waitFor();
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(height);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.getByText("06:31", { exact: true }).isVisible()).toBe(true);
  expect(await page.getByText("06:00", { exact: true }).isVisible()).toBe(false);
  expect(await page.getByText("09:00", { exact: true }).isVisible()).toBe(true);
});
