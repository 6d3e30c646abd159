import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

interface File {
  readonly path: string;
  readonly text: string;
}

/** Every file below a folder whose name has one of the endings. */
function filesIn(folder: string, endings: RegExp): File[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => endings.test(name))
    .map((name) => fileAt(join(folder, name)));
}

function fileAt(path: string): File {
  return { path, text: readFileSync(path, "utf8") };
}

/** This file names what it forbids. */
const self = join("test", "docs", "citations.test.ts");
const code = ["src", "test", "bench"]
  .flatMap((folder) => filesIn(folder, /\.(?:ts|mjs|js|sql)$/))
  .filter(({ path }) => path !== self);
const pages = ["README.md", "CHANGELOG.md"].map(fileAt).concat(filesIn("docs", /\.md$/));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of fileAt(path).text.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    anchors.add(anchor);
  }
  return anchors;
}

const anchors = new Map<string, ReadonlySet<string>>();

/** Whether a file exists and, where an anchor is given, has a heading with it. */
function resolves(path: string, anchor: string | undefined): boolean {
  if (!existsSync(path)) return false;
  if (anchor === undefined) return true;
  const known = anchors.get(path) ?? anchorsOf(path);
  anchors.set(path, known);
  return known.has(anchor);
}

/** Each match of a pattern in the files, as `file: match`, unless it is accepted. */
function matchesIn(
  files: readonly File[],
  pattern: RegExp,
  accept: (groups: RegExpMatchArray, path: string) => boolean = () => false,
): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].filter((match) => !accept(match, path)).map(([match]) => `${path}: ${match}`),
  );
}

describe("citations", () => {
  it("of `docs/page.md` and `docs/page.md#anchor` resolve", () => {
    const pattern = /\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g;
    expect(matchesIn(code, pattern).length).toBeGreaterThan(300);
    const unresolved = matchesIn([...code, ...pages], pattern, ([, page = "", anchor]) =>
      resolves(join("docs", page), anchor),
    );
    expect(unresolved).toEqual([]);
  });

  it("of a page by another as `[text](page.md#anchor)` resolve", () => {
    const unresolved = matchesIn(pages, /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g, ([, target = "", anchor], path) =>
      resolves(target === "" ? path : normalize(join(dirname(path), target)), anchor),
    );
    expect(unresolved).toEqual([]);
  });

  it.each([
    ["src/world/profiles", ["plain", "2017", "2024"], "docs/reference/handset.md"],
    ["src/wire/presets", ["documented", "rapidpro-2016"], "docs/reference/webhook.md"],
  ])("of a heading alone resolve in %s", (folder, names, page) => {
    const comments = names.map((name) => {
      const { path, text } = fileAt(join(folder, `${name}.ts`));
      return { path, text: (text.match(/\/\/.*$/gm) ?? []).join("\n") };
    });
    const pattern = /(?<![\w.])#([\w-]+)/g;
    expect(matchesIn(comments, pattern).length).toBeGreaterThan(20);
    expect(matchesIn(comments, pattern, ([, anchor]) => resolves(page, anchor))).toEqual([]);
  });

  it("name no document outside the repository", () => {
    const outside =
      /(?<![\w/])(?:service-api|webhook|handset|flows|service)\.md\b|\.\.\/shared\b|\bDESIGN\b|\bSCENARIO\.md\b|\bthe seed document\b/g;
    const withoutLinks = pages.map(({ path, text }) => ({ path, text: text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, "") }));
    expect(matchesIn([...code, ...withoutLinks], outside)).toEqual([]);
  });
});
