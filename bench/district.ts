import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "./browser.js";
import { command } from "./command.js";
import { countFrames, framesOf } from "./count-frames.js";
import { printTable } from "./table.js";

const scenario = fileURLToPath(new URL("../../bench/district.yaml", import.meta.url));

/** Seconds in which the frames of the page are counted. */
const PAGE_SECONDS = 15;

/**
 * The picture of a district with twelve villages, 1,200 handsets and 2,000 texts a second, in a real Chromium of 1920 x
 * 1080: its frames per second in both colour schemes. Server and browser have a core each (Linux: `taskset`).
 */
export async function benchDistrict(): Promise<void> {
  execFileSync("taskset", ["-cp", "1", String(process.pid)], { stdio: "ignore" });
  const rows: string[][] = [];
  for (const scheme of ["light", "dark"] as const) rows.push([scheme, framesOf(await play(scheme))]);
  printTable(["2,000 texts/s", "page"], rows);
}

async function play(colorScheme: "light" | "dark"): Promise<Awaited<ReturnType<typeof countFrames>> | undefined> {
  const run = ["run", scenario, "--pace", "1x", "--api", "0", "--recording", "none", "--json"];
  const child = spawn("taskset", ["-c", "0", process.execPath, command, ...run]);
  child.stdout.resume();
  let page: ReturnType<typeof watchPage> | undefined;
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url, token] = /^Control API at (\S+)\/lab\/, token (\S+)/.exec(line) ?? [];
    if (url !== undefined) page = watchPage(`${url}/console/#token=${token}`, colorScheme);
  }
  if (child.exitCode === null) await once(child, "exit");
  return page;
}

async function watchPage(link: string, colorScheme: "light" | "dark"): ReturnType<typeof countFrames> {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage({ viewport: { width: 1920, height: 1080 }, colorScheme });
    await tab.goto(link);
    await tab.locator("main").waitFor();
    await tab.evaluate("location.hash = '#/district'");
    await tab.locator("canvas").first().waitFor();
    // Until there is traffic.
    await tab.locator(".district-bubble").first().waitFor();
    return await countFrames(tab, 1000 * PAGE_SECONDS);
  } finally {
    await browser.close();
  }
}
