import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { LabError } from "../../base/index.js";

const KEY_BYTES = 32;

/**
 * The key of pseudonyms: the same key gives the same pseudonyms. Without a file it is random and kept nowhere, so
 * nobody can repeat it. A file that does not exist is created, readable by its owner only.
 *
 * @throws LabError `bad-options` if the file has no key; `not-read`, `not-written`
 */
export function pseudonymKey(path: string | undefined): Buffer {
  if (path === undefined) return randomBytes(KEY_BYTES);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return createKey(path);
    throw new LabError("not-read", `--key ${path} cannot be read`, { cause: error });
  }
  const hex = text.trim();
  if (!/^[\da-f]{64}$/i.test(hex)) {
    throw new LabError("bad-options", `--key ${path} is not a key`, {
      hint: "a key file has 64 hexadecimal digits; name a file that does not exist, and it is created",
    });
  }
  return Buffer.from(hex, "hex");
}

function createKey(path: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  try {
    writeFileSync(path, `${key.toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new LabError("not-written", `--key ${path} cannot be written`, { cause: error });
  }
  return key;
}
