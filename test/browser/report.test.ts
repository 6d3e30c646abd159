import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { renderHtml } from "../../src/report/index.js";
import { recorded, receiverWithFault } from "../report/faulty.js";
import { temporaryFolder } from "../support/folder.js";
import { open } from "./chromium.js";

/** A report of a run whose receiver answers some requests with what might run in a page. */
async function hostileReport(): Promise<string> {
  const { url } = await receiverWithFault((nth, response) => {
    if (nth % 8 !== 0) return false;
    response.writeHead(500, { "x-evil": "<script>document.title='evil'</script>" });
    response.end(
      "</script><script>document.title='evil'</script><img src=http://127.0.0.1:9/x onerror=\"document.title='evil'\">",
    );
    return true;
  });
  const path = join(temporaryFolder(), "report.html");
  writeFileSync(
    path,
    renderHtml(await recorded(url, { set: ["name=</title><script>document.title='evil'</script>", "lasts=9m"] })),
  );
  return pathToFileURL(path).href;
}

/** Whether nothing stands out to the right. */
function isNarrow(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth <= innerWidth");
}

it("it is drawn from one file: no request, no error, and nothing of an answer runs; its cursor goes by keys", async () => {
  const url = await hostileReport();
  const requests: string[] = [];
  const page = await open(url);
  page.on("request", (request) => requests.push(request.url()));
  await page.reload();
  await page.waitForSelector("#latency-chart canvas");
  expect(requests.filter((address) => address !== url)).toEqual([]);
  expect(await page.title()).toContain("</title><script>");
  expect(await page.locator(".plot canvas").count()).toBeGreaterThanOrEqual(5);
  await page.locator("#failed").scrollIntoViewIfNeeded();
  await page.locator("details.attempt").first().click();
  expect(await page.locator("details.attempt pre").nth(2).textContent()).toContain("onerror=");

  // The cursor is in all charts at once, and tells the values.
  const rate = page.locator("#rate");
  await rate.focus();
  for (let press = 0; press < 4; press++) await rate.press("ArrowRight");
  expect(await rate.locator(".u-legend .u-value").nth(1).textContent()).toMatch(/\d+\/min/);
  expect(await page.locator("#latency-chart .u-legend .u-value").nth(3).textContent()).toMatch(/ ms$/);
  expect(await rate.getAttribute("aria-label")).toMatch(/^Rate\. events due: .* median/);

  await page.setViewportSize({ width: 360, height: 740 });
  // Charts take a new size with the next frame.
  await expect.poll(() => isNarrow(page)).toBe(true);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForSelector("#latency-chart canvas");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => isNarrow(page)).toBe(true);
});
