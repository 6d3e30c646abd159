import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve, type Served } from "../../src/index.js";
import { parseScenario } from "../../src/scenario/index.js";
import { newContext, watch } from "./chromium.js";

// Swagger UI takes seconds for a page and a second for an operation on a busy machine: each serves several questions.
let lab: Served;
let explorer: string;

const accountText = `
account: { country: KE }
boundaries: [{ osm-id: R1, name: Ilmar }]
`;

beforeAll(async () => {
  const { scenario } = parseScenario(`{ name: One, lasts: 1d, handsets: { clinic: { phone: "+250788000001" } } }`, {
    file: "one.yaml",
    nowMs: 0,
  });
  if (scenario === undefined) throw new Error("the scenario does not parse");
  lab = await serve({
    scenario,
    accounts: [{ kind: "text", file: "account.yaml", text: accountText }],
    tokens: [
      { role: "administrator", token: "administrator", isActive: true },
      { role: "editor", token: "an-editor", isActive: true },
    ],
    isPaused: true,
    receiver: "none",
  });
  explorer = `${lab.url}/api/v2/explorer/`;
});
afterAll(() => lab.close());
function tokenOf(page: Page): Locator {
  return page.getByLabel("Token", { exact: true });
}

function operation(page: Page, resource: string, id: string): Locator {
  return page.locator(`[id="operations-${resource}-${id}"]`);
}

/** Opens an operation and makes it ready to be tried. */
async function tryOut(page: Page, resource: string, id: string): Promise<Locator> {
  await operation(page, resource, id).locator(".opblock-summary-control").click();
  return tryOpen(page, resource, id);
}

/** The same where it is open. */
async function tryOpen(page: Page, resource: string, id: string): Promise<Locator> {
  const block = operation(page, resource, id);
  await block.getByRole("button", { name: "Try it out" }).click();
  return block;
}

/** Sends what is filled in. @returns status and body of the answer, which is the first one that has the text */
async function execute(block: Locator, text: string | RegExp = ""): Promise<{ status: string; body: string }> {
  await block.locator(".execute").click();
  const answer = block.locator(".live-responses-table tbody tr.response").first().filter({ hasText: text });
  const [status = ""] = (await answer.locator(".response-col_status").innerText()).split("\n");
  return { status, body: await answer.locator(".response-col_description").innerText() };
}

it("opens on what most people come for, in the colours that the console was given", async () => {
  const { page, faults } = await watch(`${explorer}#token=administrator`);
  const tasks = page.getByRole("navigation", { name: "What most people come for" });
  await tasks.getByRole("link", { name: /^List messages/ }).click();
  const listed = operation(page, "messages", "list_messages");
  await listed.locator(".live-responses-table .response-col_status", { hasText: "200" }).first().waitFor();
  expect(page.url()).toBe(`${explorer}#/messages/list_messages`);
  await tasks.getByRole("link", { name: /^Send a message/ }).click();
  await operation(page, "messages", "post_messages").locator("textarea").waitFor();
  const surface = (): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await surface()).toBe("rgb(244, 246, 248)");
  await page.evaluate(`localStorage.setItem("handset-lab.theme", "dark")`);
  await page.reload();
  await expect.poll(surface).toBe("rgb(14, 21, 28)");
  expect(faults).toEqual([]);
});

it("tries operations with the tokens of its address and with a typed one, on a narrow screen, too", async () => {
  const { page, faults } = await watch(`${explorer}#token=administrator&lab=${lab.labToken}&/labels/post_labels`);
  expect(await page.title()).toBe("API explorer · Handset Lab");
  // What the address names is open; the tokens are hidden.
  const post = await tryOpen(page, "labels", "post_labels");
  expect(page.url()).toBe(`${explorer}#/labels/post_labels`);
  await post.locator("textarea").fill('{"name": "Urgent"}');
  const posted = await execute(post);
  expect(posted.status).toBe("201");
  expect(posted.body).toContain('"Urgent"');
  expect(await post.locator(".curl").innerText()).toContain("'Authorization: Token administrator'");
  const labels = await fetch(`${lab.url}/api/v2/labels.json`, { headers: { authorization: "Token administrator" } });
  expect(await labels.json()).toMatchObject({ results: [{ name: "Urgent" }] });

  // The lab's own operations have the lab's own token.
  expect((await execute(await tryOut(page, "lab", "get_lab_clock"))).status).toBe("200");

  await page.setViewportSize({ width: 400, height: 800 });
  const list = await tryOut(page, "boundaries", "list_boundaries");
  const boundaries = await execute(list);
  expect(boundaries.status).toBe("200");
  expect(boundaries.body).toContain('"Ilmar"');
  await post.locator("textarea").fill('{"name": "Late"}');
  expect((await execute(post, '"Late"')).status).toBe("201");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  expect(faults).toEqual([]);

  await tokenOf(page).fill("");
  expect((await execute(list, "credentials were not provided")).status).toBe("403");
  // To the console a refused request is an error.
  await expect.poll(() => faults).toEqual([expect.stringContaining("403")]);
  // What is typed is kept when the page is loaded again; here without the slash at the end of its path.
  await tokenOf(page).fill("Token an-editor ");
  await page.goto(`${explorer.slice(0, -1)}#/labels/list_labels`);
  expect((await execute(await tryOpen(page, "labels", "list_labels"))).status).toBe("200");
  expect(await tokenOf(page).inputValue()).toBe("an-editor");
  expect(faults).toHaveLength(1);
});

// The bar with the tokens does without Swagger UI, which takes its time.
it("keeps a token for its own tab only, and leaves nothing of an address that has nothing else", async () => {
  const context = await newContext();
  await context.route("**/swagger-ui-*.js", (route) => route.abort());
  const [tab, another] = [await context.newPage(), await context.newPage()];
  await tab.goto(`${explorer}#token=administrator`);
  expect(tab.url()).toBe(explorer);
  expect(await tokenOf(tab).inputValue()).toBe("administrator");
  await another.goto(explorer);
  expect(await tokenOf(another).inputValue()).toBe("");
});

it("the explorer's page may ask its own server only, and be in no other page", async () => {
  for (const path of ["/api/v2/explorer/", "/api/v2/explorer", "/api/v2/explorer/static/swagger-ui-bundle.js"]) {
    const { status, headers } = await fetch(`${lab.url}${path}`);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("referrer-policy") ?? "no-referrer").toBe("no-referrer");
  }
});
