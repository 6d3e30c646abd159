import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = "dist/console/page";
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(html|js|css|svg)$/.test(name),
);
const text = (name: string): string => readFileSync(join(root, name), "utf8");

/** Bytes of what a browser loads at first, compressed. */
const FIRST_LOAD_MAX = 200_000;

it("loads the page and its first view in less than 200 kB", () => {
  // The fleet asks for its charts at once. All styles are more than it loads.
  const entries = files.filter((name) => /^index\.html$|^assets\/(fleet-view|fleet-charts)-.*\.js$|\.css$/.test(name));
  const first = new Set(entries);
  for (const name of first) for (const asset of loadedBy(name)) first.add(asset);
  const loaded = [...first].filter((name) => files.includes(name));
  expect(loaded.filter((name) => name.includes("fleet-"))).toHaveLength(4);
  for (const ending of [".br", ".gz"]) {
    const bytes = loaded.map(
      (name) => statSync(join(root, existsSync(join(root, name + ending)) ? name + ending : name)).size,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_MAX);
  }
  expect(loaded.length).toBeGreaterThan(2);
});

it("has compressed copies of everything that is larger than they are", () => {
  const bare = files.filter((name) => statSync(join(root, name)).size >= 512 && !existsSync(join(root, `${name}.br`)));
  expect(bare).toEqual([]);
  expect(
    files.filter((name) => statSync(join(root, name)).size >= 512 && !existsSync(join(root, `${name}.gz`))),
  ).toEqual([]);
});

it("names no path of the machine that built it", () => {
  expect(files.filter((name) => text(name).includes("src/console/page/"))).toEqual([]);
});

it("names no address elsewhere, and no data URL", () => {
  const foreign = files.flatMap((name) =>
    [...text(name).matchAll(/\b(?:https?|wss?):\/\/[^\s"'`)<>\\]*|url\([^)]*\)|["'`]data:[^"'`]*/g)]
      .map(([address]) => address)
      .filter((address) => !isHarmless(address))
      .map((address) => `${name}: ${address}`),
  );
  expect(foreign).toEqual([]);
});

it("has no inline script or style, and no way to make code from text", () => {
  expect(text("index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|style=/);
  const unsafe = files.filter((name) => name.endsWith(".js") && /\beval\(|new Function\(/.test(text(name)));
  expect(unsafe).toEqual([]);
});

/** What a file loads with it: scripts and styles of a document, imports of a module that are not `import()`. */
function loadedBy(name: string): string[] {
  if (!files.includes(name)) return [];
  const found = [...text(name).matchAll(/(?:src|href)="\.\/([^"]+)"|(?:from|import)\s*["']\.\/([^"']+)["']/g)];
  return found.map(([, ofDocument, ofModule]) => ofDocument ?? join("assets", ofModule ?? ""));
}

/** Names of XML namespaces, which nothing fetches, and examples in fields for a person to type over. */
function isHarmless(address: string): boolean {
  return (
    address.startsWith("url(#") ||
    /^https?:\/\/(www\.w3\.org\/|127\.0\.0\.1\b|localhost\b|([\w-]+\.)*example\b|\$\{|$)/.test(address)
  );
}
