import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/lab/index.js";
import { parseScenario } from "../../src/scenario/index.js";
import { Rig } from "../api/rig.js";
import { closeBrowser, open, watch } from "./chromium.js";

afterAll(closeBrowser);

const oneHandset = `{ name: One, lasts: 1d, handsets: { clinic: { phone: "+250788000001" } } }`;

describe("the explorer", { timeout: 60_000 }, () => {
  let rig: Rig;
  let explorer: string;
  beforeEach(async () => {
    rig = await Rig.start();
    await rig.server.listen({ port: 0, host: "127.0.0.1" });
    explorer = `http://127.0.0.1:${(rig.server.server.address() as AddressInfo).port}/api/v2/explorer/`;
  });

  const operation = (page: Page, resource: string, id: string): Locator =>
    page.locator(`[id="operations-${resource}-${id}"]`);

  /** Opens an operation and makes it ready to be tried. */
  async function tryOut(page: Page, resource: string, id: string): Promise<Locator> {
    const block = operation(page, resource, id);
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "Try it out" }).click();
    return block;
  }

  /** Sends what is filled in. @returns status and body of the answer */
  async function execute(block: Locator): Promise<{ status: string; body: string }> {
    await block.locator(".execute").click();
    const answer = block.locator(".live-responses-table tbody tr.response").first();
    const [status = ""] = (await answer.locator(".response-col_status").innerText()).split("\n");
    return { status, body: await answer.locator(".response-col_description").innerText() };
  }

  it("reads contacts and writes a label with the token of its address, which it then hides", async () => {
    rig.service.gateway.account.boundaries.add({
      osmId: "R1",
      name: "Ilmar",
      aliases: [],
      geometry: null,
      parts: [],
    });
    const page = await open(`${new URL(explorer).origin}/#token=administrator`);
    expect(await page.title()).toBe("API explorer · Handset Lab");
    expect(page.url()).toBe(explorer);

    const boundaries = await execute(await tryOut(page, "boundaries", "list_boundaries"));
    expect(boundaries.status).toBe("200");
    expect(boundaries.body).toContain('"Ilmar"');

    const post = await tryOut(page, "labels", "post_labels");
    await post.locator("textarea").fill('{"name": "Urgent"}');
    const posted = await execute(post);
    expect(posted.status).toBe("201");
    expect(posted.body).toContain('"Urgent"');
    expect(await post.locator(".curl").innerText()).toContain("'Authorization: Token administrator'");
    expect((await rig.get("labels.json")).body.results).toMatchObject([{ name: "Urgent" }]);
  });

  it("keeps a token that is typed for the session, and no longer", async () => {
    // Without the slash, too. A refused request is an error of the console's.
    const { page, faults } = await watch(explorer.slice(0, -1));
    expect((await execute(await tryOut(page, "labels", "list_labels"))).status).toBe("403");
    expect(faults).toEqual([expect.stringContaining("403")]);
    await page.getByLabel("Token", { exact: true }).fill("Token editor ");
    await page.goto(explorer);
    expect((await execute(await tryOut(page, "labels", "list_labels"))).status).toBe("200");
    expect(await page.getByLabel("Token", { exact: true }).inputValue()).toBe("editor");
    expect(faults).toHaveLength(1);
    const another = await page.context().browser()?.newPage();
    await another?.goto(explorer);
    expect(await another?.getByLabel("Token", { exact: true }).inputValue()).toBe("");
  });

  it("opens at an operation that the address names, with a token beside it or not", async () => {
    const page = await open(`${explorer}#token=administrator&/labels/post_labels`);
    await operation(page, "labels", "post_labels").getByRole("button", { name: "Try it out" }).waitFor();
    expect(page.url()).toBe(`${explorer}#/labels/post_labels`);
    await page.goto("about:blank");
    await page.goto(`${explorer}#/resthooks/list_resthooks`);
    await operation(page, "resthooks", "list_resthooks").getByRole("button", { name: "Try it out" }).waitFor();
  });

  it("tries the lab's own operations with the lab's own token", async () => {
    const { scenario } = parseScenario(oneHandset, { file: "one.yaml", nowMs: 0 });
    if (scenario === undefined) throw new Error("the scenario does not parse");
    const served = await serve({ scenario, isPaused: true, receiver: "none" });
    onTestFinished(() => served.close());
    const page = await open(`${served.url}/#token=${served.token}&lab=${served.labToken}`);
    expect((await execute(await tryOut(page, "lab", "get_lab_clock"))).status).toBe("200");
    expect((await execute(await tryOut(page, "org", "get_org"))).status).toBe("200");
  });

  it("fits a narrow screen", async () => {
    const page = await open(`${explorer}#token=administrator`);
    await page.setViewportSize({ width: 400, height: 800 });
    const list = await tryOut(page, "labels", "list_labels");
    expect((await execute(list)).status).toBe("200");
    const post = await tryOut(page, "labels", "post_labels");
    await post.locator("textarea").fill('{"name": "Urgent"}');
    expect((await execute(post)).status).toBe("201");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  });
});

it("the explorer's page may ask its own server only, and be in no other page", async () => {
  const rig = await Rig.start();
  for (const url of ["/api/v2/explorer/", "/api/v2/explorer", "/api/v2/explorer/static/swagger-ui-bundle.js"]) {
    const { statusCode, headers } = await rig.server.inject({ method: "GET", url });
    expect(statusCode).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["referrer-policy"] ?? "no-referrer").toBe("no-referrer");
  }
});
