import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { parseExact } from "../../src/scenario/index.js";
import { serveReady } from "../end-to-end/served.js";
import { faultsOf } from "./accessibility.js";
import { watch } from "./chromium.js";

const bug = `# A join is not replied to.
about: A join is not replied to
requests:
  - fields: { event: mo_sms, phone: "+250788000001", text: join }
expect:
  - { request: 1, status: 500 }
seen: { condition: no reply, request: 1, status: "200" }
`;

async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name: of, text: content }) => {
      const data = new DataTransfer();
      data.items.add(new File([content], of));
      return data;
    },
    { name, text },
  );
  await page.dispatchEvent("#content", "drop", { dataTransfer: transfer });
}

it("shows a bug file that is dropped, plays it here, and saves one of a chain", async () => {
  const lab = await serveReady({ receiver: "bundled", isPaused: true });
  await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "join" });
  await lab.lab.done("POST", "/clock", { step: "2m" });
  const { results } = await lab.lab.done("GET", "/events?contains=join&type=mo_sms");
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  onTestFinished(() => expect(faults).toEqual([]));
  await page.locator("#content").waitFor();
  await drop(page, "join.bug.yaml", bug);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "A join is not replied to" }).waitFor();
  await dialog.getByRole("button", { name: "Play it here" }).click();
  await dialog.getByText("The bug is there").waitFor();
  expect(await faultsOf(page, { within: ["dialog"] })).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${lab.served.url}/console/#/chain/${encodeURIComponent(results[0].id)}`);
  await page.getByRole("button", { name: "Make a scenario" }).click();
  await dialog.getByRole("button", { name: "Save as bug file" }).click();
  await dialog.getByLabel("What is wrong").selectOption({ label: "A person is answered twice about one event" });
  await dialog.getByLabel("The bug file as YAML").waitFor();
  expect(await faultsOf(page, { within: ["dialog"] })).toEqual([]);
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save as bug file" }).click();
  const text = readFileSync(await (await saved).path(), "utf8");
  expect(parseExact(text, "x").input?.neverTwice).toBe(true);
});
