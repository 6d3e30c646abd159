import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { parseScenario } from "../../src/index.js";
import { serveReady } from "../end-to-end/served.js";
import { faultsOf } from "./accessibility.js";
import { watch } from "./chromium.js";

const log = readFileSync(new URL("../../docs/examples/tuesday/access.log", import.meta.url));

async function consolePage(): Promise<Page> {
  const lab = await serveReady({});
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  // To the browser's console a refused request is an error.
  onTestFinished(() => expect(faults.filter((fault) => !fault.includes("400 (Bad Request)"))).toEqual([]));
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

/** Drops a file on the middle of the page. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name: of, base64 }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], of));
      return data;
    },
    { name, base64: bytes.toString("base64") },
  );
  await page.dispatchEvent("#content", "dragover", { dataTransfer: transfer });
  await page.getByText("Drop a log of the field to see its causes").waitFor();
  await page.dispatchEvent("#content", "drop", { dataTransfer: transfer });
}

it("a log that is dropped on the page shows its causes with their evidence, and its scenario", async () => {
  const page = await consolePage();
  await drop(page, "access.log.gz", gzipSync(log));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "3 causes of trouble" }).waitFor();
  const causes = await dialog
    .getByRole("region", { name: "Causes of trouble" })
    .getByRole("listitem")
    .allTextContents();
  expect(causes[0]).toMatch(/relayer-2\/0 network none for 22m.*4 rows with phone times/s);
  expect(causes[2]).toMatch(/relayer-1\/0 sync loses response.*5 rows twice with new ids/s);
  expect(await faultsOf(page, { within: ["dialog"] })).toEqual([]);
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download the scenario" }).click();
  const text = readFileSync(await (await saved).path(), "utf8");
  expect(parseScenario(text, { file: "day.yaml", nowMs: 0 }).diagnostics).toEqual([]);
  // People of the log must not be recognised: at most one of their pseudonyms is another's number by chance.
  const numbers = new Set(Array.from(log.toString().matchAll(/%2B(25078110\d+)/g), ([, digits = ""]) => `+${digits}`));
  expect(numbers.size).toBeGreaterThan(30);
  expect([...numbers].filter((number) => text.includes(number)).length).toBeLessThan(2);
});

it("a file that is no log says so, and another one can be chosen by keyboard", async () => {
  const page = await consolePage();
  await drop(page, "photo.png", Buffer.from("89504e470d0a1a0a0000", "hex"));
  await page.getByRole("dialog").getByText("photo.png has none of the known formats").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keys and help" }).click();
  await page.getByRole("button", { name: "Read a log of the field" }).click();
  await page.getByRole("dialog").locator("input[type=file]").setInputFiles({
    name: "access.log",
    mimeType: "text/plain",
    buffer: log,
  });
  await page.getByRole("heading", { name: "3 causes of trouble" }).waitFor();
});
