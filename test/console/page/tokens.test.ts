import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync(new URL("../../../src/console/page/design/tokens.css", import.meta.url), "utf8");
const declared = new Map<string, string>();
for (const [, name = "", value = ""] of css.matchAll(/^ {2}(--[\w-]+): ([^;]+);/gm)) {
  if (!declared.has(name)) declared.set(name, value.trim());
}

const surfaces = named(/^--surface/);
const words = named(/^--(text(-muted)?|accent|good|warning|bad|note|neutral|(state|outcome)-\w+)$/);
const areas = named(/^--(tile-\w+|chart-\d|border-strong|focus)$/);
const pairs = [
  ["--brand-text", "--brand"],
  ["--brand-muted", "--brand"],
  ["--brand-muted", "--brand-hover"],
  ["--brand-green", "--brand"],
  ["--accent-text", "--accent-fill"],
  ["--accent-text", "--accent-fill-hover"],
  ["--on-fill", "--bad-fill"],
  ["--on-fill", "--bad-fill-hover"],
  ["--text", "--bubble-in"],
  ["--text", "--bubble-out"],
  ["--text-muted", "--bubble-in"],
  ["--text-muted", "--bubble-out"],
  ["--text", "--selection"],
] as const;

for (const theme of ["light", "dark"] as const) {
  it(`text has a contrast of 4.5 on every surface (${theme})`, () => {
    expect(words.length).toBeGreaterThan(15);
    const poor = words
      .flatMap((word) => surfaces.map((surface) => [word, surface] as const))
      .filter(isBelow(4.5, theme));
    expect([...poor, ...pairs.filter(isBelow(4.5, theme))]).toEqual([]);
  });

  it(`tiles, lines and borders of controls have a contrast of 3 (${theme})`, () => {
    expect(areas.length).toBeGreaterThan(12);
    const grounds = ["--surface", "--surface-page"] as const;
    const poor = areas.flatMap((area) => grounds.map((ground) => [area, ground] as const)).filter(isBelow(3, theme));
    expect(poor).toEqual([]);
  });
}

type Theme = "light" | "dark";

function named(pattern: RegExp): string[] {
  return [...declared.keys()].filter((name) => pattern.test(name));
}

function isBelow(least: number, theme: Theme): (pair: readonly [string, string]) => boolean {
  return ([one, other]) => contrast(colour(one, theme), colour(other, theme)) < least;
}

function colour(name: string, theme: Theme): string {
  const value = declared.get(name) ?? "";
  const same = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (same !== undefined) return colour(same, theme);
  const both = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value);
  const found = both === null ? value : both[theme === "light" ? 1 : 2];
  if (found === undefined || !/^#\w{6}$/.test(found)) throw new Error(`${name} is not a colour: ${value}`);
  return found;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
