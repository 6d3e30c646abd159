import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { parseExact } from "../../src/scenario/index.js";
import { threadMinimiser } from "../../src/study/index.js";
import { serveReady } from "../end-to-end/served.js";
import { faultsOf, useScheme } from "./accessibility.js";
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
  await dialog.getByText(/^The bug is there:/).waitFor();
  // At the step itself: what is right, what came when it was written, what comes now.
  const lines = dialog.getByRole("region", { name: "Steps" }).getByRole("listitem").first();
  expect(await lines.innerText()).toMatch(/right\s+a status of 500\s+came\s+200[^]*now\s+200/);
  expect(await faultsOf(page, { within: ["dialog"] })).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${lab.served.url}/console/#/chain/${encodeURIComponent(results[0].id)}`);
  await page.getByRole("button", { name: "Make a scenario" }).click();
  await dialog.getByRole("button", { name: "Save as bug file…" }).click();
  await dialog.getByLabel("What is wrong").selectOption({ label: "A person is answered twice about one event" });
  await dialog.getByText("Nobody is answered twice about one event").waitFor();
  expect(await faultsOf(page, { within: ["dialog"] })).toEqual([]);
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save as bug file", exact: true }).click();
  const text = readFileSync(await (await saved).path(), "utf8");
  expect(parseExact(text, "x").input?.neverTwice).toBe(true);
});

/** A receiver that counts stock: a total after a count that is no number is an error, until it is reset. */
async function stockReceiver(): Promise<string> {
  const broken = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const isText = form.get("event") === "mo_sms";
      const [phone, text] = [form.get("phone") ?? "", form.get("text") ?? ""];
      if (request.url === "/reset") broken.clear();
      if (isText && text === "stock ten") broken.add(phone);
      const isWrong = isText && text === "total" && broken.has(phone);
      response.writeHead(isWrong ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isWrong ? { error: "NaN" } : {}));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

it("minimises by the keyboard alone: a receiver that remembers is named, and with its reset the two requests are found", async () => {
  const receiver = await stockReceiver();
  const lab = await serveReady({ receiver, minimiser: threadMinimiser, isPaused: true });
  for (const body of ["hello", "stock ten", "stock 4", "total"]) {
    await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body });
    await lab.lab.done("POST", "/clock", { step: "1m" });
  }
  const { results } = await lab.lab.done("GET", "/events?contains=total&type=mo_sms");
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  onTestFinished(() => expect(faults).toEqual([]));
  await page.goto(`${lab.served.url}/console/#/chain/${encodeURIComponent(results[0].id)}`);
  const dialog = page.getByRole("dialog");
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole("button", { name, exact: true });
    await button.waitFor();
    for (let tabs = 0; tabs < 60; tabs++) {
      if (await button.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    expect(await button.evaluate((element) => element.matches(":focus-visible"))).toBe(true);
    await page.keyboard.press("Enter");
  };
  await press("Make a scenario");
  await press("Minimise…");
  await press("Minimise");
  await dialog.getByText(/The receiver remembers earlier plays|did not come again/).waitFor();
  // The way out is shown: a reset, or a terminal with a file that holds what the lab sent.
  await dialog.getByText(/^handset minimise from-.*all\.yaml -r/).waitFor();
  await dialog.getByLabel("Reset the receiver before each play").fill("POST /reset");
  await press("Minimise");
  await dialog.getByText(/requests became 2\./).waitFor();
  await dialog.getByRole("heading", { name: "2 requests" }).waitFor();
  for (const scheme of ["dark", "light"] as const) {
    await useScheme(page, scheme);
    expect([scheme, await faultsOf(page, { within: ["dialog"] })]).toEqual([scheme, []]);
  }
  await press("Play it here");
  await dialog.getByText(/^The bug is there:/).waitFor();
  await page.keyboard.press("Escape");
  const opener = page.getByRole("button", { name: "Make a scenario" });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
});
