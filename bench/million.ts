import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { command } from "./command.js";

const scenario = fileURLToPath(new URL("../../bench/console.yaml", import.meta.url));
const folder = fileURLToPath(new URL("../recordings", import.meta.url));

/** A recording of a million texts of 20,000 people, for several benches. It is made once, in minutes. @returns its path */
export async function millionRecording(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const recording = `${folder}/million.db`;
  if (!existsSync(recording)) {
    const options = ["--set", "lasts=505s", "--pace", "max", "--recording", recording, "--no-report", "--quiet"];
    await once(spawn(process.execPath, [command, "run", scenario, ...options], { stdio: "inherit" }), "exit");
  }
  return recording;
}
