import { type Browser, chromium } from "playwright-core";
import type * as finding from "../test/browser/find-chromium.mjs";

/** Starts the browser that the tests use: Chromium's headless shell where it is installed, else Chromium; `CHROME_PATH` overrides. */
export async function launchBrowser(): Promise<Browser> {
  // Plain JavaScript that is not compiled with the benchmarks.
  const finder = new URL("../../test/browser/find-chromium.mjs", import.meta.url).href;
  const { findChromium } = (await import(finder)) as typeof finding;
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("no Chromium on this machine; run node test/browser/install-chromium.mjs");
  }
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args: ["--disable-gpu", ...asRoot] });
}
