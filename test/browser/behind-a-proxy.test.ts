import { expect, it } from "vitest";
import { serveReady } from "../end-to-end/served.js";
import { proxyOf } from "../support/proxy.js";
import { open } from "./chromium.js";

it("console and explorer work below a path of a proxy", async () => {
  let target = "http://127.0.0.1:1";
  const origin = await proxyOf(() => target, { prefix: "/handset" });
  const { served } = await serveReady({ publicUrl: `${origin}/handset` });
  target = served.url;

  const page = await open(`${origin}/handset/console#token=${served.labToken}`);
  await page.getByText("Live", { exact: true }).waitFor();
  expect(page.url()).toBe(`${origin}/handset/console/#/fleet`);
  await page.goto(`${origin}/handset/console/#/service/contacts`);
  await page.getByRole("link", { name: "Amina", exact: false }).first().waitFor();

  const explorer = await open(`${origin}/handset/api/v2/explorer/#token=${served.token}&/labels/list_labels`);
  const block = explorer.locator('[id="operations-labels-list_labels"]');
  await block.getByRole("button", { name: "Try it out" }).click();
  await block.locator(".execute").click();
  const answer = block.locator(".live-responses-table tbody tr.response").first();
  expect((await answer.locator(".response-col_status").innerText()).split("\n")[0]).toBe("200");
  expect(await block.locator(".curl").innerText()).toContain(`${origin}/handset/api/v2/labels.json`);
});
