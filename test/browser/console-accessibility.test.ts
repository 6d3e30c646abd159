import { expect, it } from "vitest";
import { viewNames } from "../../src/console/page/navigation/route.js";
import { serveReady } from "../end-to-end/served.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { watch } from "./chromium.js";
import { consolePlaces, goToPlace } from "./console-places.js";
import { isNightly } from "../support/effort.js";

it("no view of the console has an accessibility problem that axe finds or scrolls sideways", async () => {
  const lab = await serveReady({ receiver: "bundled" });
  const { page } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  const problems: string[] = [];
  const places = Object.entries(await consolePlaces(lab));
  for (const [name, place] of places) {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await goToPlace(page, place);
      const note = (what: string, found: readonly string[]): void => {
        problems.push(...found.map((fault) => `${name}, ${width} px, ${what}: ${fault}`));
      };
      const excess: number = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (excess > 0) note("sideways", [`${excess} px are outside the window`]);
      // All rules on the wide page, the dark colours on the narrow one; every combination in the nightly run.
      if (isNightly || width === 1280) {
        await useScheme(page, "light");
        note("light", await faultsOf(page));
      }
      if (isNightly || width === 390) {
        await useScheme(page, "dark");
        note("dark", await faultsOf(page, { rules: ["color-contrast"] }));
      }
    }
  }
  expect(problems).toEqual([]);

  // Nothing was left out: neither a view nor a list of the service.
  const isVisited = (path: string): boolean => places.some(([, place]) => place.startsWith(path));
  expect(viewNames.filter((view) => !isVisited(view))).toEqual([]);
  await goToPlace(page, "service");
  const links = await page.locator(".service-sections a").all();
  const lists = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter((href) => href === null || !isVisited(href.replace("#/", "")))).toEqual([]);
});

it("the dialogs of the service have no accessibility problem that axe finds", async () => {
  const lab = await serveReady();
  const { page } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  await useScheme(page, "light");
  for (const [place, name] of [
    ["service/broadcasts", "Send a broadcast"],
    ["service/flows", "Start a flow"],
    ["service/flows", "Import"],
    ["service/groups", "New group"],
    ["service/resthooks", "Emit an event"],
  ] as const) {
    await goToPlace(page, place);
    const button = page.getByRole("button", { name, exact: true }).first();
    await button.click();
    await page.getByRole("dialog").waitFor();
    expect([name, await faultsOf(page)]).toEqual([name, []]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  }
});
