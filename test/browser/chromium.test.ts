import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { serveHttp } from "../support/server.js";
import { open, watch } from "./chromium.js";
import { findChromium, placesOfPlaywright } from "./find-chromium.mjs";

/** A page on loopback, and the paths that were asked for. */
async function serve(html: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const { url } = await serveHttp(({ url: path = "" }, response) => {
    asked.push(path);
    response.writeHead(path === "/missing.js" ? 404 : 200, {
      "content-type": path === "/" ? "text/html; charset=utf-8" : "text/plain",
    });
    response.end(path === "/" ? `<!doctype html><link rel="icon" href="data:,"><title>Phones</title>${html}` : "ok");
  });
  return { url, asked };
}

describe("a page in a real browser", () => {
  it("runs its script and may ask its own host", async () => {
    const { url, asked } = await serve(`
      <p id="said">waiting</p><button onclick="said.textContent = 'pressed'">Press</button>
      <script>fetch("/own").then((r) => r.text()).then((text) => { said.textContent = text; });</script>`);
    const page = await open(url);
    await page.getByText("ok").waitFor();
    await page.getByRole("button").click();
    expect(await page.locator("#said").textContent()).toBe("pressed");
    expect(asked).toEqual(["/", "/own"]);
  });

  it("is caught at every request to another host, error and exception", async () => {
    const elsewhere = await serve("");
    const { url } = await serve(`
      <img src="${elsewhere.url}picture.png"><script src="/missing.js"></script>
      <script>console.error("oh"); setTimeout(() => { throw new Error("thrown"); });
      new WebSocket("${elsewhere.url.replace("http", "ws")}socket");</script>`);
    const { faults } = await watch(url);
    const expected = [
      `request to ${elsewhere.url}picture.png`,
      "console: oh",
      "error: thrown",
      `socket to ${elsewhere.url.replace("http", "ws")}socket`,
    ];
    await expect.poll(() => faults).toEqual(expect.arrayContaining(expected));
    expect(faults.filter((fault) => fault.includes("404"))).toHaveLength(1);
    expect(elsewhere.asked).not.toContain("/picture.png");
  });
});

describe("finding a browser", () => {
  const program = (path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    return path;
  };

  it("what CHROME_PATH names goes first, and must be there", () => {
    const path = program(join(temporaryFolder(), "my-chrome"));
    expect(findChromium({ CHROME_PATH: path })).toBe(path);
    expect(() => findChromium({ CHROME_PATH: "/nowhere/chrome" })).toThrow("CHROME_PATH names /nowhere/chrome");
  });

  it("of Playwright's browsers, the newest headless shell goes before the whole browser", () => {
    const folder = temporaryFolder();
    const inside = "chrome-headless-shell-linux64/chrome-headless-shell";
    const browser = program(join(folder, "chromium-1300/chrome-linux64/chrome"));
    const older = program(join(folder, "chromium_headless_shell-999", inside));
    const newer = program(join(folder, "chromium_headless_shell-1255", inside));
    const places = placesOfPlaywright({ PLAYWRIGHT_BROWSERS_PATH: folder });
    expect(places.filter((place) => existsSync(place))).toEqual([newer, older, browser]);
  });

  it("otherwise one is found on this machine", () => {
    expect(findChromium()).toMatch(/chrom/i);
  });
});
