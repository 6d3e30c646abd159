import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { ServedLab } from "../end-to-end/served.js";
import { serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { openConsole } from "./console-places.js";

/** Two villages; the clock stands until it is stepped. */
const district = `
name: Two villages
lasts: 1d
handsets:
  harbour: { name: Old Harbour, count: 8, phone: "+2507880{00}", place: { x: 0, y: 0 } }
  mill: { name: Upper Mill, count: 3, phone: "+2507881{00}", place: { x: 5, y: 3 } }
people:
  families: { count: 40, phone: "+2507811{00}", of: harbour }
`;

async function textAll({ lab }: ServedLab, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    await lab.done("POST", "/do/text", { from: `families/${nth}`, to: `harbour/${nth % 8}`, body: `fever ${nth}` });
  }
}

const headline = (page: Page): Locator => page.locator(".district-headline .district-exact");
const village = (page: Page, name: string): Locator => page.getByRole("link", { name: new RegExp(`^${name}: `) });

it("is where a scenario with places begins, and shows its power cut in pictures and words", async () => {
  const own = await serving({ scenario: parse(district), speed: 60, isPaused: true });
  const { lab } = own;
  const page = await openConsole(own.served);
  await expect.poll(() => page.url()).toContain("#/district");
  await headline(page).getByText("All villages are connected").waitFor();
  await village(page, "Old Harbour").waitFor();

  await lab.done("POST", "/do/power-cut", { of: "harbour" });
  await headline(page).getByText("Old Harbour has no power").waitFor();
  await textAll(own, 30);
  await own.step("1m");
  await expect.poll(() => village(page, "Old Harbour").innerText()).toMatch(/no power, no network, 30 waiting/);
  expect(await village(page, "Upper Mill").innerText()).toMatch(/3 phones, power, network/);
  await village(page, "Old Harbour").getByText("30 wait", { exact: true }).waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const scheme of ["light", "dark"] as const) {
      await useScheme(page, scheme);
      expect(await faultsOf(page, { within: ["main"] })).toEqual([]);
    }
    expect(await page.locator("main").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }

  // A phone is a place of its village's link.
  const phone = await page.locator(".district-phone").first().boundingBox();
  if (phone === null) throw new Error("no phone is drawn");
  await page.mouse.click(phone.x + phone.width / 2, phone.y + phone.height / 2);
  await expect.poll(() => page.url()).toContain("#/handset/harbour/0");
  await page.goBack();
  await village(page, "Upper Mill").click();
  await expect.poll(() => page.url()).toContain("#/fleet?name=mill");
});

it("names the storm on return and a failing receiver, accuses nothing before, and shows each moment of the past", async () => {
  // A step of two minutes is no jump at this speed.
  const own = await serving({ scenario: parse(district), speed: 600, isPaused: true, receiver: "bundled" });
  const page = await openConsole(own.served, "district");
  // Each state is collected, because a storm lasts for seconds.
  await page.evaluate(`
    said = new Set();
    new MutationObserver(() => said.add(document.querySelector(".district").textContent))
      .observe(document.querySelector(".district"), { subtree: true, childList: true, characterData: true });
  `);
  const said = (words: RegExp): Promise<string | undefined> =>
    page.evaluate<string[]>("[...said]").then((all) => all.find((one) => words.test(one)));
  await headline(page).getByText("All villages are connected").waitFor();

  await own.step("1m");
  await own.lab.done("POST", "/do/power-cut", { of: "harbour", for: "3m" });
  await textAll(own, 30);
  await own.step("2m");
  await village(page, "Old Harbour").getByText("30 wait", { exact: true }).waitFor();
  await own.step("2m");
  await expect.poll(() => said(/Old Harbour sends everything at once/)).toBeDefined();
  expect(await said(/Old Harbour: 8 phones, power, network, (\d+ waiting, )?sends \d+ texts at once/)).toBeDefined();
  expect(await said(/receiver (answers|fails)|Fails|Upper Mill (has|sends)|Upper Mill: 3 phones, no/)).toBeUndefined();
  expect(await page.locator(".district-failing").count()).toBe(0);

  await own.lab.done("POST", "/do/receiver", { answers: 500 });
  // Many more than those of the storm, which it accepted.
  for (let round = 0; round < 3; round++) {
    await textAll(own, 40);
    await own.step("2m");
  }
  await headline(page).getByText("The receiver answers 500").waitFor();
  await page.getByRole("link", { name: "Receiver Fails: 500" }).waitFor();
  await page.getByRole("link", { name: /^Service \d+ to retry$/ }).waitFor();
  expect(await page.locator(".district-failing").count()).toBe(1);

  await page.getByRole("button", { name: "Look at the past" }).click();
  const [slider, picture] = [page.getByRole("slider", { name: "Moment" }), page.locator(".district-past")];
  await slider.press("Home");
  await picture.getByText("Texts on their way are not shown in the past.").waitFor();
  await headline(page).getByText("All villages are connected").waitFor();
  expect(await page.locator(".district-failing").count()).toBe(0);
  await page.getByRole("button", { name: /^On to .*power/i }).click();
  await headline(page).getByText("Old Harbour has no power").waitFor();
  expect(await village(page, "Old Harbour").innerText()).toMatch(/no power, no network/);
  await page
    .locator(".district-headline [role=status]")
    .getByText(/: Old Harbour has no power$/)
    .waitFor();
  await page.getByRole("button", { name: "Back to now" }).click();
  await headline(page).getByText("The receiver answers 500").waitFor();
  expect(await picture.count()).toBe(0);
});

it("shows counts instead of motion where motion is unwanted", async () => {
  const own = await serving({ scenario: parse(district), speed: 60, isPaused: true });
  const page = await openConsole(own.served);
  await useScheme(page, "light");
  await textAll(own, 6);
  // The wish for the traffic is granted by the first frame.
  await headline(page).getByText("All villages are connected").waitFor();
  await own.step("20s");
  await page.locator(".district-count").getByText("↑ 6").waitFor();
  expect(await page.locator(".district-dots").isVisible()).toBe(false);
});
