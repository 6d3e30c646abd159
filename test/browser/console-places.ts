import type { Page } from "playwright-core";
import type { ServedLab } from "../end-to-end/served.js";
import { open } from "./chromium.js";

/** Every view of the console with something in it, by a name for messages. */
export async function consolePlaces({ api, lab }: ServedLab): Promise<Readonly<Record<string, string>>> {
  const first = async <T>(path: string): Promise<T | undefined> => ((await api.all(path)) as T[])[0];
  const [contact, campaign, run, broadcast, events] = [
    await first<{ uuid: string }>("contacts.json?urn=tel:%2B12065550110"),
    await first<{ uuid: string }>("campaigns.json"),
    await first<{ uuid: string; flow: { uuid: string } }>("runs.json"),
    await first<{ id: number }>("broadcasts.json"),
    (await lab.done("GET", "/events?limit=1")) as { results: { id: string }[] },
  ];
  const event = events.results[0]?.id ?? "1/1";
  const lists = ["groups", "messages", "broadcasts", "flows", "runs", "campaigns", "resthooks", "channels", "labels"];
  return {
    district: "district",
    fleet: "fleet",
    "fleet as a table": "fleet?show=table",
    handset: "handset/clinic/0",
    "no handset": "handset/nothing/9",
    people: "person",
    person: `person/${encodeURIComponent("+12065550110")}`,
    events: "events",
    chain: `chain/${encodeURIComponent(event)}`,
    "no chain": "chain/9%2F999",
    contacts: "service/contacts",
    ...Object.fromEntries(lists.map((name) => [name, `service/${name}`])),
    fields: "service/fields",
    contact: `service/contacts/${contact?.uuid}`,
    "no contact": "service/contacts/nothing",
    campaign: `service/campaigns/${campaign?.uuid}`,
    broadcast: `service/broadcasts/${broadcast?.id}`,
    flow: `service/flows/${run?.flow.uuid}?run=${run?.uuid}`,
    losses: "losses",
    story: "story",
    run: "run",
  };
}

/**
 * Opens the console of a lab at a place, as `open` does: the test fails on errors in the browser's console.
 * @param place - as `goToPlace` has it; absent: where the page begins
 */
export async function openConsole(
  { url, labToken }: { readonly url: string; readonly labToken: string },
  place?: string,
): Promise<Page> {
  const page = await open(`${url}/console/#token=${labToken}`);
  await page.getByText("Live", { exact: true }).waitFor();
  if (place !== undefined) await goToPlace(page, place);
  return page;
}

/** Goes to a place of the console (`events?type=mo_sms`) and waits until it shows it. */
export async function goToPlace(page: Page, place: string): Promise<void> {
  // The page draws after it has heard of the new address: what stands there before is of the old one.
  await page.evaluate(`new Promise((done) => {
    location.hash = ${JSON.stringify(`#/${place}`)};
    requestAnimationFrame(() => requestAnimationFrame(done));
  })`);
  await page.locator("main:has(h1):not(:has([role=status][aria-label^=Loading]))").waitFor();
}
