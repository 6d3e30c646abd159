import type { Locator, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { type ServedLab, serveReady } from "../end-to-end/served.js";
import { watch } from "./chromium.js";
import { goToPlace } from "./console-places.js";

/** The ready account at sixty times the clock's speed, and the console at a place. */
async function consoleAt(place: string): Promise<{ page: Page; lab: ServedLab }> {
  const lab = await serveReady({ speed: 60, isPaused: false });
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  // To the browser's console a refused request is an error.
  onTestFinished(() => expect(faults.filter((fault) => !fault.includes("400 (Bad Request)"))).toEqual([]));
  await page.getByText("Live", { exact: true }).waitFor();
  await goToPlace(page, place);
  return { page, lab };
}

/** Puts two fingers on an element and moves them to the distances, pixels. */
async function pinch(page: Page, element: Locator, distances: readonly number[]): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox()) ?? expect.fail("it is not shown");
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const touch = await page.context().newCDPSession(page);
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  for (const [index, distance] of distances.entries()) {
    const touchPoints = [-distance / 2, distance / 2].map((at, id) => ({ id, x: middleX + at, y: middleY }));
    await touch.send("Input.dispatchTouchEvent", { type: index === 0 ? "touchStart" : "touchMove", touchPoints });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

it("a broadcast says what it will do, is sent, and arrives at people", async () => {
  const { page, lab } = await consoleAt("service/broadcasts");
  await page.getByRole("button", { name: "Send a broadcast" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Text", { exact: true }).fill("Bed nets are here, @contact.name");
  await dialog.getByText("32 characters, 1 text message each (GSM-7), before templates").waitFor();
  await dialog.getByLabel(/^Field staff/).check();
  const [group] = (await lab.api.all("groups.json?name=Field%20staff")) as { count: number }[];
  await dialog.getByText(`for ${group?.count} contacts`).waitFor();
  await dialog.getByRole("button", { name: `Send to ${group?.count} contacts` }).click();
  await page.getByRole("link", { name: "Show its progress" }).click();

  await page.getByRole("heading", { name: /^Broadcast \d+$/ }).waitFor();
  const messages = page.getByRole("region", { name: "Messages" }).last();
  await messages.getByText("Delivered").first().waitFor();
  await messages.getByRole("link", { name: "Bed nets are here, Amina Sorel" }).waitFor();
});

it("a flow is started for a person, and the graph shows where they are as they answer", async () => {
  const { page, lab } = await consoleAt("service/flows");
  await page.getByRole("link", { name: "Registration" }).click();
  await page.getByRole("button", { name: "Start this flow" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone numbers").fill("206");
  await dialog.getByRole("button", { name: "Start for 1 contact" }).click();
  await dialog.getByText(/Invalid URN/).waitFor();
  await dialog.getByLabel("Phone numbers").fill("+1 206 555 0199");
  await dialog.getByRole("button", { name: "Start for 1 contact" }).click();
  await dialog.waitFor({ state: "detached" });

  // A run is shown before one is chosen, and none when it is closed.
  const current = page.locator(".service-box-current .service-box-place");
  await current.waitFor();
  await page.getByRole("button", { name: "Show no run" }).click();
  await page.getByText("Choose a run below the graph").waitFor();
  // The new run comes first; its contact has no name yet.
  const runs = page.getByRole("region", { name: "Runs of this flow" }).last();
  await runs.getByRole("link", { name: "No name" }).first().click();
  await expect.poll(() => current.textContent()).toBe("2");
  await expect.poll(() => page.locator(".service-nodes").textContent()).toContain("the contact is here");

  await lab.lab.done("POST", "/do/text", { from: "+12065550199", to: "clinic/0", body: "Neema" });
  await expect.poll(() => current.textContent()).toBe("4");
  await page.getByRole("table", { name: "Answers so far" }).getByText("Neema").first().waitFor();
  await expect.poll(() => page.locator(".service-edge-taken").count()).toBe(3);

  // Keys move and zoom the graph.
  const graph = page.getByRole("group", { name: /^Graph of Registration/ });
  const zoom = page.locator(".service-canvas-percent");
  const before = await zoom.textContent();
  await graph.press("+");
  await graph.press("ArrowDown");
  await expect.poll(() => zoom.textContent()).not.toBe(before);
  // Two fingers, too: from 80 pixels between them to 40.
  await graph.press("0");
  const whole = Number.parseInt((await zoom.textContent()) ?? "", 10);
  await pinch(page, graph, [80, 60, 40]);
  expect(Number.parseInt((await zoom.textContent()) ?? "", 10)).toBe(Math.round(whole / 2));

  await goToPlace(page, `service/contacts?urn=${encodeURIComponent("tel:+12065550199")}`);
  await page.getByRole("link", { name: "Neema" }).click();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Interrupt" }).click();
  await page.getByText("Interrupted").first().waitFor();
});

it("an import says what was added and what will not run, or why it was refused", async () => {
  const { page } = await consoleAt("service/flows");
  const choose = async (name: string, text: string): Promise<void> => {
    await page.getByLabel(/^Drop an export/).setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  };
  const add = page.getByRole("button", { name: "Add to the account" });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await choose("wrong.yaml", "account: existing\nlabels: 7\n");
  await page.getByText("wrong.yaml is an account file").waitFor();
  await add.click();
  await page.getByText("wrong.yaml").waitFor();
  await page.getByRole("alert").waitFor();

  const flow = {
    uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a11",
    name: "Asks a model",
    spec_version: "13.6.1",
    language: "eng",
    type: "messaging",
    nodes: [
      {
        uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a12",
        actions: [
          { uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a13", type: "request_optin", optin: { uuid: "x", name: "News" } },
        ],
        exits: [{ uuid: "0f3a3f4e-6d5c-4d1b-9d0e-6c3f1f4b7a14" }],
      },
    ],
  };
  await choose("export.json", JSON.stringify({ version: "13", flows: [flow], campaigns: [], triggers: [] }));
  await page.getByText("export.json is an export").waitFor();
  await page.getByText("1 flow").waitFor();
  await add.click();
  await page.getByText("Added, with 1 problem.").waitFor();
  expect(await page.locator(".service-problems").textContent()).toContain("request_optin");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "Asks a model" }).click();
  await page.getByText("Asks for the consent News").first().waitFor();
});
