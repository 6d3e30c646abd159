import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { ServedHere, ServerProcess } from "./server-process.js";
import { receiverThat } from "./support.js";

interface Listed {
  readonly text: string;
}

it("a served database keeps texts and calls that are on their way, each once, whatever kills its server", async () => {
  const session = temporaryFolder();
  const database = join(session, "account.db");
  const receiver = await receiverThat((_body, response) => response.end());
  const args = ["--db", database, "--receiver", receiver.url, "--paused"];

  const first = await ServerProcess.start(args, session);
  const { lab } = first;
  // Three states: a text on a phone without a data link, texts in the air, a call in progress.
  await lab.done("POST", "/do/network", { of: "clinic/1", type: "none" });
  await lab.done("POST", "/do/text", { from: "people/1", to: "clinic/1", body: "on the phone" });
  await lab.done("POST", "/clock", { step: "1m" });
  const inTheAir = Array.from({ length: 20 }, (_, n) => `in the air ${n}`);
  for (const body of inTheAir) await lab.done("POST", "/do/text", { from: "people/0", to: "clinic/0", body });
  await lab.done("POST", "/do/call", { from: "people/0", to: "clinic/0", talks: "3m" });
  await first.end("SIGKILL");

  const second = await ServerProcess.start(args, session);
  await second.lab.done("POST", "/do/text", { from: "people/0", to: "clinic/0", body: "said later" });
  await second.end("SIGKILL");

  const third = await ServedHere.start(args, session);
  await third.lab.done("POST", "/clock", { step: "1h" });
  const wanted = [...inTheAir, "on the phone", "said later"].toSorted();
  const texts = async (): Promise<string[]> => {
    const listed = (await third.api.all("messages.json?folder=inbox")) as unknown as Listed[];
    return listed.map(({ text }) => text).filter((text) => wanted.includes(text));
  };
  expect((await texts()).toSorted()).toEqual(wanted);
  const told = receiver.got
    .map(({ body }) => new URLSearchParams(body))
    .filter((form) => form.get("event") !== "alarm");
  expect(told.filter((form) => form.get("event") === "mo_call")).toHaveLength(1);
  expect(
    told
      .map((form) => form.get("text") ?? "")
      .filter((text) => wanted.includes(text))
      .toSorted(),
  ).toEqual(wanted);
  // People answer flows and call at any time: a text or a call of theirs may be under way when the step ends.
  const ledgerOf = async (): Promise<Record<string, { queued: number }>> =>
    ((await third.lab.done("GET", "/")) as { ledger: Record<string, { queued: number }> }).ledger;
  const accounts = ["texts", "calls"];
  let ledger = await ledgerOf();
  for (let step = 0; step < 360 && accounts.some((account) => ledger[account]?.queued !== 0); step++) {
    await third.lab.done("POST", "/clock", { step: "10s" });
    ledger = await ledgerOf();
  }
  for (const account of accounts) expect(ledger[account]).toMatchObject({ queued: 0, gap: 0 });
  // A text that has arrived does not arrive again after a restart.
  await third.end();
  const fourth = await ServedHere.start(args, session);
  await fourth.lab.done("POST", "/clock", { step: "1h" });
  const again = (await fourth.api.all("messages.json?folder=inbox")) as unknown as Listed[];
  expect(again.filter(({ text }) => wanted.includes(text))).toHaveLength(wanted.length);
});
