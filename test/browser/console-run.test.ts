import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { RunStart } from "../../src/index.js";
import { Client } from "../end-to-end/served.js";
import { play } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { faultsOf } from "./accessibility.js";
import { openConsole } from "./console-places.js";

/** Twelve seconds at 300x. The receiver fails for the first half, so there is something to find. */
const hour = `
name: An hour of failures
lasts: 1h
handsets: { clinic: { count: 2, phone: "+2507880{00000}" } }
people: { farmers: { count: 10, phone: "+2507811{00000}" } }
traffic:
  - { name: chatter, texts: { from: farmers, to: clinic, body: hi }, rate: 600/h, arrivals: even }
story:
  - { at: 0s, receiver: { answers: 500, for: 30m } }
expect: [ "failures == 0" ]
`;

it("a run's charts grow and its findings appear while it plays; it ends with a verdict and a report", async () => {
  const report = join(temporaryFolder(), "run.html");
  writeFileSync(report, "<h1>The report</h1>");
  let watched: Promise<Page> | undefined;
  await play(hour, {
    pace: 300,
    api: { port: 0, keepsHistory: true },
    onStart(start) {
      watched = watchRun(start);
    },
    console: {
      async whenOver(_outcome, showReport) {
        const page = await watched;
        if (page === undefined) return expect.fail("the run has not started");
        await page.getByText("The run failed", { exact: true }).waitFor();
        await page.getByText("Nothing changes any more.").waitFor();
        expect(await page.getByRole("link", { name: "Open the report" }).count()).toBe(0);
        showReport(report);
        const opened = page.waitForEvent("popup");
        await page.getByRole("link", { name: "Open the report" }).click();
        await (await opened).getByRole("heading", { name: "The report" }).waitFor();
        expect(await faultsOf(page)).toEqual([]);
        // Its past can be looked at.
        await page.getByRole("button", { name: "Look at the past" }).click();
        await page.getByRole("slider", { name: "Moment" }).waitFor();
        // The server closes with the run.
        await page.close();
      },
    },
  });
});

/** Opens the console on the run while its clock stands, lets it pass, and sees what grows. */
async function watchRun({ api }: RunStart): Promise<Page> {
  const { url = "", labToken = "" } = api ?? {};
  const lab = new Client(`${url}/lab`, labToken);
  await lab.done("POST", "/clock", { paused: true });
  const page = await openConsole({ url, labToken });
  expect(page.url()).toBe(`${url}/console/#/run`);
  await page.getByText("Nothing unusual so far.").waitFor();
  await page.getByText(/, paused\.$/).waitFor();
  await lab.done("POST", "/clock", { paused: false });
  const chart = page.getByRole("figure", { name: "Events" });
  await expect.poll(() => chart.textContent()).toMatch(/Failed last .* and [1-9]/);
  await page.getByRole("region", { name: "Findings" }).getByRole("listitem").first().waitFor();
  expect(await page.getByText("The run failed", { exact: true }).count()).toBe(0);
  return page;
}
