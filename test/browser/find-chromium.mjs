// Plain Node, because `install-chromium.mjs` runs before anything is compiled.
import { accessSync, constants, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIXED = ["/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
/** Where a browser of Playwright's lies inside its folder, by system. */
const INSIDE = [
  "chrome-linux64/chrome",
  "chrome-linux/chrome",
  "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
  "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
  "chrome-win64/chrome.exe",
  "chrome-win/chrome.exe",
];

/** The path of a Chromium or Chrome on this machine, or undefined. `CHROME_PATH` goes before everything. */
export function findChromium(environment = process.env) {
  const named = environment.CHROME_PATH;
  if (named) {
    if (!isProgram(named)) throw new Error(`CHROME_PATH names ${named}, which is not a program; unset or correct it`);
    return named;
  }
  const onPath = (environment.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...FIXED, ...onPath, ...ofPlaywright(environment)].find(isProgram);
}

function ofPlaywright(environment) {
  const cache =
    {
      darwin: join(homedir(), "Library/Caches/ms-playwright"),
      win32: join(environment.LOCALAPPDATA ?? homedir(), "ms-playwright"),
    }[process.platform] ?? join(environment.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "ms-playwright");
  const folder = environment.PLAYWRIGHT_BROWSERS_PATH || cache;
  let entries;
  try {
    entries = readdirSync(folder);
  } catch {
    return [];
  }
  const revision = (entry) => Number(entry.slice("chromium-".length));
  return entries
    .filter((entry) => /^chromium-\d+$/.test(entry))
    .sort((a, b) => revision(b) - revision(a))
    .flatMap((entry) => INSIDE.map((inside) => join(folder, entry, inside)));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
