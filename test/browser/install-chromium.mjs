// Sees to it that the browser's tests have a browser: finds one, or installs one, and prints one line about it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findChromium } from "./find-chromium.mjs";

const problems = [];

try {
  let path = findChromium();
  let how = "found";
  // Only Debian proper: elsewhere the package of that name may be an empty shell around a snap.
  if (path === undefined && isDebian() && process.getuid?.() === 0) {
    how = "installed by apt-get";
    const install = ["install", "-y", "-q", "--no-install-recommends"];
    if (run("apt-get", "update", "-q")) {
      // Debian 11 has no package of the headless shell.
      void (run("apt-get", ...install, "chromium-headless-shell") || run("apt-get", ...install, "chromium"));
    }
    path = findChromium();
  }
  if (path === undefined) {
    how = "installed by playwright-core";
    run("npx", "--no-install", "playwright-core", "install", "--only-shell", "chromium");
    path = findChromium();
  }
  if (path === undefined) throw new Error("no Chromium was found and none could be installed");
  console.log(`chromium: ${how}, ${path}`);
} catch (error) {
  console.error(
    `chromium: ${error.message}\n${problems.join("")}` +
      "To fix it, install Chromium or Chrome, or set CHROME_PATH to one, and run this again.",
  );
  process.exitCode = 1;
}

function isDebian() {
  try {
    return /^ID="?debian"?$/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}

/** Runs a command quietly; what it said is kept for the case that nothing helped. */
function run(command, ...args) {
  const lockWait = command === "apt-get" ? ["-o", "DPkg::Lock::Timeout=300"] : [];
  const done = spawnSync(command, [...lockWait, ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    shell: process.platform === "win32",
    timeout: 15 * 60_000,
  });
  if (done.status === 0) return true;
  const said = `${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}`.trim().split("\n").slice(-6);
  problems.push(`  ${command} ${args.join(" ")} failed:\n${said.map((line) => `    ${line}\n`).join("")}`);
  return false;
}
