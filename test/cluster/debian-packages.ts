import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Programs and libraries of Debian packages in a folder of their own; nothing is installed. */
export interface Unpacked {
  /** `usr/bin` and the like are in it. */
  readonly root: string;
  /** Folder of the libraries. */
  readonly libraries: string;
}

/**
 * Downloads Debian packages and unpacks them, as any user.
 *
 * @returns a text if that is not possible here: the reason
 */
export async function unpackPackages(folder: string, names: readonly string[]): Promise<Unpacked | string> {
  if (!existsSync("/usr/bin/apt-get") || !existsSync("/usr/bin/dpkg-deb"))
    return "this is no Debian: there is no apt-get";
  const root = join(folder, "root");
  const debs = join(folder, "debs");
  mkdirSync(debs, { recursive: true });
  const download = (options: readonly string[]): Promise<unknown> =>
    run("apt-get", [...options, "download", ...names], { cwd: debs, timeout: 60_000 });
  try {
    await download([]);
  } catch {
    // The lists of packages are missing or old: these are our own.
    const state = join(folder, "apt");
    mkdirSync(join(state, "lists", "partial"), { recursive: true });
    mkdirSync(join(state, "cache", "archives", "partial"), { recursive: true });
    const own = ["-o", `Dir::State=${state}`, "-o", `Dir::Cache=${join(state, "cache")}`];
    const status = ["-o", "Dir::State::status=/var/lib/dpkg/status"];
    try {
      await run("apt-get", [...own, ...status, "update"], { timeout: 90_000 });
      await download([...own, ...status]);
    } catch (error) {
      const { stderr = "" } = error as { stderr?: string };
      return `Debian's packages cannot be downloaded: ${stderr.trim().split("\n").at(-1) ?? ""}`;
    }
  }
  for (const file of readdirSync(debs)) await run("dpkg-deb", ["-x", join(debs, file), root]);
  const triplet = folderNames(join(root, "usr", "lib")).find((name) => name.includes("-linux-gnu")) ?? "";
  return { root, libraries: join(root, "usr", "lib", triplet) };
}

/** The names in a folder; none if it does not exist: packages of scripts have no libraries. */
function folderNames(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
