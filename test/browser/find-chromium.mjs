// Plain Node, because `install-chromium.mjs` runs before anything is compiled.
import { accessSync, constants, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Names of programs. The headless shell goes first: it takes less than half of the processor's time of the whole browser. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIXED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** Folders of Playwright's browsers, and where the program lies inside, by system. */
const PLAYWRIGHT = {
  "chromium_headless_shell-": [
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-headless-shell-linux-arm64/chrome-headless-shell",
    "chrome-headless-shell-mac-x64/chrome-headless-shell",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "chrome-headless-shell-win64/chrome-headless-shell.exe",
  ],
  "chromium-": [
    "chrome-linux64/chrome",
    "chrome-linux/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-win64/chrome.exe",
    "chrome-win/chrome.exe",
  ],
};

/** The path of a Chromium or Chrome on this machine, or undefined. `CHROME_PATH` goes before everything. */
export function findChromium(environment = process.env) {
  const named = environment.CHROME_PATH;
  if (named) {
    if (!isProgram(named)) throw new Error(`CHROME_PATH names ${named}, which is not a program; unset or correct it`);
    return named;
  }
  const onPath = (environment.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...FIXED, ...onPath, ...placesOfPlaywright(environment)].find(isProgram);
}

/** Where Playwright's installer puts browsers: the newest headless shell first. */
export function placesOfPlaywright(environment) {
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
  return Object.entries(PLAYWRIGHT).flatMap(([prefix, programs]) => {
    const revision = (entry) => Number(entry.slice(prefix.length));
    return entries
      .filter((entry) => entry.startsWith(prefix) && Number.isInteger(revision(entry)))
      .sort((a, b) => revision(b) - revision(a))
      .flatMap((entry) => programs.map((program) => join(folder, entry, program)));
  });
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
