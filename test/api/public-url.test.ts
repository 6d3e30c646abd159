import { describe, expect, it } from "vitest";
import { Client, emptyScenario, type ServedLab, serving } from "../end-to-end/served.js";
import { proxyOf } from "../support/proxy.js";

/** More contacts than a page has. */
const contacts = `account: {}\npeople: [{ count: 300, phone: "+2547110{00000}" }]\n`;

async function labWithPages(publicUrl?: string): Promise<ServedLab> {
  return serving({
    scenario: emptyScenario(),
    accounts: [{ kind: "text", file: "account.yaml", text: contacts }],
    ...(publicUrl !== undefined && { publicUrl }),
  });
}

/** Every address that the REST API tells a client. */
async function toldBy(api: Client): Promise<Record<string, string>> {
  const { next } = await api.done("GET", "contacts.json");
  const { previous } = await api.done("GET", `contacts.json${new URL(next).search}`);
  const index = await api.done("GET", ".json");
  const { site } = await api.done("GET", "definitions.json");
  const [{ url: server }] = (await api.done("GET", "openapi.json")).servers;
  return { next, previous, contacts: index.contacts, site, server };
}

describe("links of the REST API", () => {
  it("begin with the public URL, whatever a request says", async () => {
    const lab = await labWithPages("https://lab.example/handset");
    const told = await toldBy(lab.api);
    expect(told["next"]).toMatch(/^https:\/\/lab\.example\/handset\/api\/v2\/contacts\.json\?cursor=\w+$/);
    expect(told["previous"]).toMatch(/^https:\/\/lab\.example\/handset\/api\/v2\/contacts\.json\?cursor=\w+$/);
    expect(told).toMatchObject({
      contacts: "https://lab.example/handset/api/v2/contacts",
      site: "https://lab.example/handset",
      server: "https://lab.example/handset",
    });
    expect(lab.served.publicUrl).toBe("https://lab.example/handset");
    expect(lab.served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("have the host of the request without a proxy", async () => {
    const lab = await labWithPages();
    const told = await toldBy(lab.api);
    expect(told["next"]).toContain(`${lab.served.url}/api/v2/contacts.json?cursor=`);
    expect(told).toMatchObject({ site: lab.served.url, server: "/" });
    expect(lab.served.publicUrl).toBe(lab.served.url);
  });

  it("can be followed through a proxy of this machine that says where it is", async () => {
    const lab = await labWithPages();
    const origin = await proxyOf(lab.served.url, {
      prefix: "/handset",
      headers: ({ headers }) => ({
        "x-forwarded-host": headers.host ?? "",
        "x-forwarded-proto": "http",
        "x-forwarded-prefix": "/handset",
      }),
    });
    const through = new Client(`${origin}/handset/api/v2/`, lab.served.token);
    expect(await through.all("contacts.json")).toHaveLength(300);
    expect(await toldBy(through)).toMatchObject({ site: `${origin}/handset`, server: `${origin}/handset` });
  });

  it.each([true, false])(
    "can be followed through a proxy with the public URL (it keeps the path: %s)",
    async (keepsPrefix) => {
      // The proxy's port is known when it listens, and the lab's address when that listens.
      let target = "http://127.0.0.1:1";
      const origin = await proxyOf(() => target, { prefix: "/handset", keepsPrefix });
      const lab = await labWithPages(`${origin}/handset`);
      target = lab.served.url;
      const through = new Client(`${origin}/handset/api/v2/`, lab.served.token);
      expect(await through.all("contacts.json")).toHaveLength(300);
      for (const path of ["/", "/console", "/api/v2/explorer"]) {
        const page = await fetch(`${origin}/handset${path}`);
        expect([path, page.status, page.url]).toEqual([path, 200, expect.stringMatching(`^${origin}/handset/.*/$`)]);
      }
    },
  );

  it("of the past are those of the present", async () => {
    const lab = await labWithPages("https://lab.example/handset");
    await lab.lab.done("POST", "/clock", { step: "1m" });
    const answer = await lab.api.ask("GET", "contacts.json", undefined, { "lab-moment": "60000" });
    expect([answer.status, answer.body.next]).toEqual([
      200,
      expect.stringMatching(/^https:\/\/lab\.example\/handset\/api\/v2\/contacts\.json\?cursor=/),
    ]);
  });
});

it("a public URL that is none is refused before anything begins", async () => {
  await expect(serving({ scenario: emptyScenario(), publicUrl: "lab.example" })).rejects.toMatchObject({
    code: "bad-options",
    message:
      "the public URL is invalid: it must be an http or https URL such as https://lab.example, got 'lab.example'",
  });
});
