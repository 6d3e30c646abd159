import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve, type Served } from "../../src/index.js";
import { serving } from "../end-to-end/served.js";
import { parse } from "../end-to-end/support.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { goToPlace, openConsole } from "./console-places.js";

/** 1,040 handsets: cells as a whole, tiles and cards where they are filtered. The clock stands. */
const district = `
name: District
lasts: 1d
handsets:
  clinic: { count: 40, phone: "+2507880{00000}" }
  school: { count: 1000, phone: "+2507881{00000}" }
`;

/** For the tests that only look. */
let lab: Served;
beforeAll(async () => {
  lab = await serve({ scenario: parse(district), isPaused: true, receiver: "none" });
});
afterAll(() => lab.close());
it("shows as much of each handset as there is space for, and the same for a link", async () => {
  const page = await openConsole(lab, "fleet");
  await page.locator(".fleet-grid-cells").waitFor();
  await search(page).fill("clinic");
  await page.getByText("40 of 1,040 handsets").waitFor();
  await page.locator(".fleet-grid-tiles").waitFor();
  await search(page).fill("clinic/0..9");
  await page.locator(".fleet-grid-cards").waitFor();
  expect(await page.getByRole("listbox", { name: "Handsets" }).getByRole("option").count()).toBe(10);
  await search(page).fill("clinic");
  await page.getByLabel("Group").selectOption("By state");
  await page.getByLabel("Level of detail").selectOption("Tiles");
  await page.locator(".fleet-grid-tiles").waitFor();
  await expect.poll(() => page.url()).toContain("#/fleet?by=state&show=tiles&name=clinic");
  await page.reload();
  await page.locator(".fleet-grid-tiles").waitFor();
  expect(await search(page).inputValue()).toBe("clinic");
  await search(page).fill("nobody");
  await page.getByRole("button", { name: "Show all 1,040 handsets" }).click();
  await page.getByText("1,040 handsets", { exact: true }).waitFor();
});

it("cuts the power of ten handsets, and takes it back", async () => {
  const { served } = await serving({ scenario: parse(district) });
  const page = await openConsole(served, "fleet?name=clinic");
  await expect.poll(() => countOf(page, "Fine")).toBe("1,040");
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("menuitem", { name: "Ten of them at random" }).click();
  await page.getByText("10 handsets selected").waitFor();
  await page.getByRole("button", { name: "Power cut" }).click();
  await expect.poll(() => countOf(page, "Offline")).toBe("10");
  await page.getByText(/^Power cut: 10 handsets at \d\d:\d\d:\d\d/).waitFor();
  await chip(page, "Offline").click();
  await page.getByText("10 of 1,040 handsets").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: 10 handsets").waitFor();
  await expect.poll(() => countOf(page, "Offline")).toBe("0");
  await page.getByText("No handset matches").waitFor();
  await page.getByRole("button", { name: "Power cut" }).click();
  await expect.poll(() => countOf(page, "Offline")).toBe("10");
  await page.getByRole("button", { name: "Restore power" }).click();
  await expect.poll(() => countOf(page, "Fine")).toBe("1,040");
  await page.getByRole("button", { name: "Mains" }).click();
  await page.getByRole("menuitem", { name: "Mains off" }).click();
  await expect.poll(() => countOf(page, "On battery")).toBe("10");
  await page.getByRole("button", { name: "Power cut" }).click();
  await expect.poll(() => countOf(page, "Offline")).toBe("10");
  // The mains stay off: they were off before the power cut, which the page no longer has to remember.
  await page.reload();
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("menuitem", { name: /^All shown/ }).click();
  await page.getByRole("button", { name: "Restore power" }).click();
  await expect.poll(() => countOf(page, "On battery")).toBe("10");
  await expect.poll(() => countOf(page, "Offline")).toBe("0");
});

it("is used by keys alone: one tab stop, arrows, selection and opening", async () => {
  const page = await openConsole(lab, "fleet");
  const grid = page.getByRole("listbox", { name: /^Handsets/ });
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await focused(page)).toMatch(/^clinic\/2: Fine, battery 100%/);
  await page.keyboard.press("Space");
  await page.getByText("1 handset selected").waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("3 handsets selected").waitFor();
  await page.keyboard.press("Shift+Space");
  await page.getByText("40 handsets selected").waitFor();
  await page.keyboard.press("End");
  expect(await focused(page)).toMatch(/^school\/999: /);
  await page.keyboard.press("Control+a");
  await page.getByText("1,040 handsets selected").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("region", { name: "Selected handsets" }).count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => decodeURIComponent(page.url())).toContain("school/999");
});

it("selects by dragging and by the label of a group", async () => {
  const page = await openConsole(lab, "fleet?name=clinic&show=tiles");
  // Where a handset is depends on what is above it, how many are shown, and how.
  await page.locator(".chart").first().waitFor();
  await page.locator(".fleet-grid-tiles").waitFor();
  await page.getByText("40 of 1,040 handsets").waitFor();
  const box = await page.getByRole("listbox").boundingBox();
  if (box === null) throw new Error("the grid has no box");
  await page.mouse.move(box.x + 4, box.y + 36);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 70, { steps: 4 });
  await page.mouse.up();
  await page.getByText("3 handsets selected").waitFor();
  await page.getByTitle("Select the 40 of clinic").click();
  await page.getByText("40 handsets selected").waitFor();
});

it("has cards that are whole, however much they say", async () => {
  const { served, lab: own } = await serving({ scenario: parse(district) });
  await own.done("POST", "/do/network", { of: "clinic/0..9", type: "none" });
  for (let i = 0; i < 12; i++)
    await own.done("POST", "/do/text", { from: `+25070000000${i % 10}`, to: "clinic/0", body: `text ${i}` });
  await own.done("POST", "/clock", { step: "2h" });
  const page = await openConsole(served, "fleet?name=clinic%2F0..9&show=cards");
  const card = page.getByRole("listbox", { name: "Handsets" }).getByRole("option").first();
  await expect.poll(() => card.innerText()).toMatch(/Offline\s+Alarm\s+12 waiting/);
  await page.setViewportSize({ width: 390, height: 844 });
  await card.getByRole("img", { name: "Alarm" }).waitFor();
  expect(await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

it("has a thousand cards, of which only those near the screen are in the document", async () => {
  const page = await openConsole(lab, "fleet?name=school&show=cards");
  await page.locator(".fleet-grid-cards").waitFor();
  const cards = page.getByRole("listbox", { name: "Handsets" }).getByRole("option");
  await expect.poll(() => cards.count()).toBeGreaterThan(4);
  expect(await cards.count()).toBeLessThan(300);
  expect(await cards.first().getAttribute("aria-setsize")).toBe("1000");
  await page.getByRole("listbox", { name: "Handsets" }).press("End");
  await page.locator("[aria-posinset='1000']").getByText("school/999").waitFor();
  await expect.poll(() => cards.count()).toBeLessThan(300);
});

it("has tiles that can be read with forced colours", async () => {
  const page = await openConsole(lab, "fleet?name=clinic&show=tiles");
  await page.emulateMedia({ forcedColors: "active" });
  await page.reload();
  const canvas = page.locator(".fleet-grid-tiles canvas").first();
  await expect.poll(() => canvas.evaluate(coloursOf)).toBeGreaterThan(2);
});

it("has a table with the same facts, sorted by any column", async () => {
  const page = await openConsole(lab, "fleet?show=table");
  const row = (nth: number): Locator => page.getByRole("row").nth(nth);
  await expect.poll(() => row(1).innerText()).toMatch(/clinic\/0\s+Fine/);
  await page.getByRole("button", { name: "Name" }).click();
  await expect.poll(() => row(1).innerText()).toContain("school/999");
  await page.getByRole("checkbox", { name: "Select school/999" }).check();
  await page.getByText("1 handset selected").waitFor();
});

it("has no fault that axe finds as cards, cells and table, light and dark, wide and narrow", async () => {
  const page = await openConsole(lab);
  for (const [query, colorScheme, width] of [
    ["?name=clinic%2F0..9", "light", 1280],
    ["", "dark", 1280],
    ["?name=clinic", "dark", 390],
    ["?show=table", "light", 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await useScheme(page, colorScheme);
    await goToPlace(page, `fleet${query}`);
    await page.locator(".fleet-grid, .fleet-table").waitFor();
    expect(await faultsOf(page), `${query} ${colorScheme} ${width}`).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), `${query} ${width}`).toBe(width);
  }
});

function search(page: Page): Locator {
  return page.getByLabel("Name, or a range such as clinic/0..9");
}

function chip(page: Page, state: string): Locator {
  return page.getByRole("group", { name: "Show only" }).getByRole("button", { name: state });
}

async function countOf(page: Page, state: string): Promise<string> {
  return (await chip(page, state).locator(".fleet-chip-count").innerText()).trim();
}

/** What a screen reader says of the handset that has the focus. */
async function focused(page: Page): Promise<string> {
  const id = await page.getByRole("listbox").getAttribute("aria-activedescendant");
  return (await page.locator(`#${id}`).getAttribute("aria-label")) ?? "";
}

/** How many colours a canvas shows. It runs in the page. */
function coloursOf(element: unknown): number {
  const canvas = element as {
    width: number;
    height: number;
    getContext(kind: "2d"): { getImageData(...box: number[]): { data: Uint8ClampedArray } };
  };
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}
