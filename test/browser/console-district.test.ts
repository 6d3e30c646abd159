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

  await village(page, "Upper Mill").click();
  await expect.poll(() => page.url()).toContain("#/fleet?name=mill");
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
