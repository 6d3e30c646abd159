import { join } from "node:path";
import { expect, it } from "vitest";
import { serving } from "../end-to-end/served.js";
import { play } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { faultsOf, useScheme } from "./accessibility.js";
import { watch } from "./chromium.js";

const darkVillage = `
name: Dark village
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
handsets:
  village: { count: 20, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 40, of: village, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: village, body: "maize 12kg" }
    rate: 2/m
story:
  - at: 20m
    network: { of: village/0..9, type: none, for: 30m }
`;

it("goes to the moment of a recording when ten phones are cut off, and back", async () => {
  const recording = join(temporaryFolder(), "village.db");
  await play(darkVillage, { recording });
  const lab = await serving({ recording });
  const { page, faults } = await watch(`${lab.served.url}/console/#token=${lab.served.labToken}`);
  const slider = page.getByRole("slider", { name: "Moment" });
  const offline = page.getByRole("button", { name: /^Offline/ });
  const says = page.getByRole("region", { name: "The past" });
  const isExact = (): Promise<void> => says.getByText("Every phone is as it was then.").waitFor();
  await says.getByText("the end of the recording").waitFor();
  await isExact();
  expect(await slider.getAttribute("aria-valuetext")).toBe("Wed 4 Mar, 07:00:00");
  // The recording's own receiver, not the one of the session that shows it.
  await page.getByText(/^Events went to 127\.0\.0\.1:\d+$/).waitFor();
  await expect.poll(() => offline.textContent()).toMatch(/\D0$/);

  // The first mark is the cut; alarms of the silent phones come after it.
  await slider.press("Home");
  await says.getByRole("button", { name: "On to No data network at 10 phones of village for 30 min" }).click();
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Wed 4 Mar, 06:20:00");
  await isExact();
  await expect.poll(() => offline.textContent()).toMatch(/\D10$/);

  // The charts are the recording's, with the values at the moment; so are the totals.
  const events = page.getByRole("figure", { name: /^Events a virtual/ });
  await events.getByText("06:19:30–06:20:00", { exact: true }).waitFor();
  await page.getByText("Events/min", { exact: true }).waitFor();

  // A handset beside the fleet is of the same moment, or says of which.
  await page.evaluate(`location.hash = "#/fleet?open=village/3"`);
  const beside = page.getByRole("complementary", { name: "Handset village/3" });
  await beside.getByText("The phone has no data network").waitFor();
  await slider.press("Home");
  await beside.getByText("Below is Wed 4 Mar, 06:20:00. Wed 4 Mar, 06:00:00 follows.").waitFor();
  await beside.getByText("Below is").waitFor({ state: "detached" });
  expect(await beside.getByText("The phone has no data network").count()).toBe(0);
  await isExact();
  await says.getByRole("button", { name: "On to No data network at 10 phones of village for 30 min" }).click();
  await isExact();
  await beside.getByText("The phone has no data network").waitFor();
  await beside.getByRole("button", { name: "Close" }).click();

  // A request of the past is not sent again.
  const { body } = await lab.lab.ask("GET", "/events?limit=1", undefined, { "lab-moment": "1200000" });
  const [event] = (body as { readonly results: readonly { readonly id: string }[] }).results;
  await page.evaluate(`location.hash = "#/chain/${encodeURIComponent(event?.id ?? "")}"`);
  const again = page.getByRole("button", { name: "Send again" });
  await again.waitFor();
  expect(await again.isDisabled()).toBe(true);
  await page.evaluate(`location.hash = "#/fleet"`);

  // Nothing can be done to the phones of the past, which the controls say and the server holds.
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("menuitem", { name: "Ten of them at random" }).click();
  const acts = page.getByRole("region", { name: "Selected handsets" });
  await acts.getByText("This is the past, which cannot be changed.").waitFor();
  expect(await acts.getByRole("button", { name: "Power cut" }).isDisabled()).toBe(true);
  const { status } = await lab.lab.ask("POST", "/do/sync", { of: "village", now: true }, { "lab-moment": "1200000" });
  expect(status).toBe(409);

  // Contrast is not asked of disabled controls, which axe does not know of those in a disabled fieldset.
  const within = [".time", ".shell-top", ".shell-status", ".fleet-actions-count", "p:has(+ .acts-now)"];
  for (const colorScheme of ["light", "dark"] as const) {
    await useScheme(page, colorScheme);
    expect([colorScheme, await faultsOf(page, { within })]).toEqual([colorScheme, []]);
  }

  await slider.press("End");
  await says.getByText("the end of the recording").waitFor();
  await expect.poll(() => offline.textContent()).toMatch(/\D0$/);
  await says.getByRole("button", { name: "Back to now" }).click();
  await says.getByText("The page shows now: a new session after the recording's end.").waitFor();
  await expect.poll(() => acts.getByRole("button", { name: "Power cut" }).isDisabled()).toBe(false);
  expect(faults).toEqual([]);
});
