import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * What axe finds on a page, a line for each element.
 *
 * @param options - `within`, `except`: CSS selectors of the parts that are looked at; `rules`: of axe, instead of all
 */
export async function faultsOf(
  page: Page,
  {
    within = ["html"],
    except = [],
    rules = [],
  }: {
    readonly within?: readonly string[];
    readonly except?: readonly string[];
    readonly rules?: readonly string[];
  } = {},
): Promise<readonly string[]> {
  // The page's policy refuses scripts of others; the browser's debugging protocol still runs it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(rules.length > 0 && { runOnly: rules }) };
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify({ include: within, exclude: except })}, ${JSON.stringify(options)})
      .then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${impact} ${id}: ${html.slice(0, 200)}: ${failureSummary}`),
  );
}

/** Changes the colours and waits until they are drawn. Nothing moves or fades: what does has no fixed contrast. */
export async function useScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
