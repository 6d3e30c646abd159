import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { findChromium } from "./find-chromium.mjs";
import { WAIT_MS } from "../support/hang-guard.js";

/** Nothing that a test has no use for; and no request of the browser's own to anywhere. */
const ARGUMENTS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The tests of a worker share a browser, from file to file: starting one takes seconds of the processor's time. It ends
 * with the worker.
 */
let shared: Promise<Browser> | undefined;

/** Starts a headless Chromium. */
function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("no Chromium on this machine; run node test/browser/install-chromium.mjs");
  }
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, headless: true, args: [...ARGUMENTS, ...asRoot] });
}

/** A session, which ends with the test: what one tab of it keeps for all, the others have, too. */
export async function newContext(): Promise<BrowserContext> {
  shared ??= launch();
  const browser = await shared;
  // A service worker would fetch behind the back of what looks at a page's requests.
  const context = await browser.newContext({ serviceWorkers: "block" });
  context.setDefaultTimeout(WAIT_MS);
  onTestFinished(() => context.close());
  return context;
}

/**
 * Opens an address in a session of its own, which ends with the test. The test fails when the page asks another host
 * for anything, writes an error to the console or throws.
 */
export async function open(url: string): Promise<Page> {
  const { page, faults } = await watch(url);
  onTestFinished(() => expect(faults).toEqual([]));
  return page;
}

/**
 * Like `open`, but the faults are the caller's to judge; the list grows as they happen.
 *
 * @param options - `script`: runs in the page before its own ones, and is not subject to its policy
 */
export async function watch(
  url: string,
  { script }: { readonly script?: string } = {},
): Promise<{ page: Page; faults: readonly string[] }> {
  const { host } = new URL(url);
  const faults: string[] = [];
  const isForeign = (address: string): boolean => /^(https?|wss?):/.test(address) && new URL(address).host !== host;
  const page = await (await newContext()).newPage();
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("websocket", (socket) => {
    if (isForeign(socket.url())) faults.push(`socket to ${socket.url()}`);
  });
  await page.route("**/*", (route) => {
    const address = route.request().url();
    if (!isForeign(address)) return route.continue();
    faults.push(`request to ${address}`);
    return route.abort();
  });
  if (script !== undefined) await page.addInitScript({ content: script });
  await page.goto(url);
  return { page, faults };
}
