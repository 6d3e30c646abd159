// Takes the pictures of the console in docs/images: `npm run pictures`, after `npm run build`. It plays the demo with its
// own seed and clock to the power cut, so each run of it shows the same day.
import { spawn } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { findChromium } from "../test/browser/find-chromium.mjs";

const IMAGES = fileURLToPath(new URL("images/", import.meta.url));
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The largest picture, so that a clone of the repository stays small. */
const BYTES_MAX = 300_000;
/** Virtual time in steps, so that the receiver's answers take effect in between: to two minutes before the power cut. */
const STEPS = [...Array.from({ length: 38 }, () => "10m"), "8m"];
/** Then it plays before the page for this long, for charts that move. Wall milliseconds. */
const LIVE_MS = 60_000;
const LIVE_SPEED = 60;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const server = spawn(
  process.execPath,
  ["dist/bin/handset.js", "serve", "scenarios/demo.yaml", "--starts", "scenario", "--paused", "--port", "0", "--quiet"],
  { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
);
try {
  const { base, token } = await linkOf(server);
  for (const step of STEPS) await lab(base, token, "/lab/clock", { step });
  await takePictures(base, token);
} finally {
  server.kill("SIGINT");
}

/** The console's address and token, from what the server prints. */
async function linkOf({ stdout }) {
  let printed = "";
  for await (const chunk of stdout) {
    printed += chunk;
    const [, base, token] = /(http:\/\/\S+)\/console\/#token=(\S+)/.exec(printed) ?? [];
    if (token !== undefined) {
      stdout.resume();
      return { base, token };
    }
  }
  throw new Error(`the server did not start:\n${printed}`);
}

async function lab(base, token, path, body) {
  const answer = await fetch(`${base}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Token ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function playPowerCut(base, token) {
  await lab(base, token, "/lab/clock", { paused: false, speed: LIVE_SPEED });
  await wait(LIVE_MS);
  await lab(base, token, "/lab/clock", { paused: true });
}

/** Somebody in a flow: the first question is answered, the second one waits. */
async function registerBertil(base, token) {
  const { token: api } = await lab(base, token, "/lab/access");
  const [flow] = (await lab(base, api, "/api/v2/flows.json")).results;
  await lab(base, api, "/api/v2/flow_starts.json", { flow: flow.uuid, urns: ["tel:+12025550102"] });
  await lab(base, token, "/lab/clock", { step: "2m" });
  await lab(base, token, "/lab/do/text", { from: "bertil", to: "upper-mill/0", body: "Bertil Quansen" });
  await lab(base, token, "/lab/clock", { step: "2m" });
}

/** The scrubber, two hours before the present. */
async function lookAtThePast(page) {
  await page.getByRole("button", { name: "Look at the past" }).click();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.focus();
  for (let press = 0; press < 4; press++) await slider.press("PageDown");
  await page.getByText(/^Computing/).waitFor({ state: "detached", timeout: 60_000 });
  // Charts grow to the moment later than phones are shown.
  await page.getByText("not computed yet").first().waitFor({ state: "detached", timeout: 120_000 });
}

/** What the pictures show, by file name. */
async function picturesOf(base, token) {
  const { token: api } = await lab(base, token, "/lab/access");
  const [event] = (await lab(base, token, "/lab/events?type=mo_sms&outcome=accepted&limit=1")).results;
  const runs = (await lab(base, api, "/api/v2/runs.json")).results;
  const run = runs.find(({ exit_type: exit, responded }) => exit === null && responded);
  return [
    { file: "console-fleet", place: "fleet" },
    { file: "console-handset", place: "handset/old-harbour/2" },
    { file: "console-person", place: `person/${encodeURIComponent("+12025550100")}` },
    { file: "console-chain", place: `chain/${encodeURIComponent(event?.id ?? "1/1")}` },
    { file: "console-events", place: "events" },
    { file: "console-story", place: "story" },
    { file: "console-flow", place: `service/flows/${run.flow.uuid}?run=${run.uuid}` },
    { file: "console-past", place: "fleet", act: lookAtThePast },
    // Without charts, as it opens on a phone.
    { file: "console-narrow", place: "district", size: PHONE, act: (page) => page.reload() },
  ];
}

async function takePictures(base, token) {
  mkdirSync(IMAGES, { recursive: true });
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--disable-gpu", ...asRoot] });
  try {
    const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: "reduce" });
    // Charts have only what a page has seen.
    await page.goto(`${base}/console/#token=${token}`);
    await playPowerCut(base, token);
    // Texts travel only while the clock runs.
    await lab(base, token, "/lab/clock", { paused: false });
    for (const colorScheme of ["light", "dark"]) {
      await takePicture(page, { file: "console", place: "district", colorScheme, reducedMotion: "no-preference" });
    }
    await lab(base, token, "/lab/clock", { paused: true });
    // The story strip is large until the first key.
    await page.keyboard.press("x");
    await registerBertil(base, token);
    for (const picture of await picturesOf(base, token)) await takePicture(page, picture);
  } finally {
    await browser.close();
  }
}

async function takePicture(
  page,
  { file, place, size = DESKTOP, colorScheme = "light", reducedMotion = "reduce", act },
) {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await act?.(page);
  // Requests are answered, charts and canvases are drawn.
  await wait(2000);
  const path = `${IMAGES}${file}${colorScheme === "dark" ? "-dark" : ""}.png`;
  await page.screenshot({ path });
  const { size: bytes } = statSync(path);
  if (bytes > BYTES_MAX) throw new Error(`${path} has ${bytes} bytes, more than ${BYTES_MAX}`);
  console.log(`${path}  ${Math.round(bytes / 1000)} kB`);
}
