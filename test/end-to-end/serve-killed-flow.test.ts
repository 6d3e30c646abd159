import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { flowOf, say } from "../account/flow-builder.js";
import { temporaryFolder } from "../support/folder.js";
import { until } from "../support/until.js";
import { ServerProcess } from "./server-process.js";
import { receiverThat } from "./support.js";

const phone = "+250781100001";

/** An account whose flow asks for an order, and asks a shop at `url` about it. */
function accountFile(folder: string, url: string): string {
  const file = join(folder, "account.yaml");
  const call = { type: "call_webhook", method: "GET", url: `${url}&order=@results.order`, result_name: "Shop" };
  const { definition } = flowOf(1, "Orders", [
    { actions: [say("Which order?")] },
    { ask: { result: "Order", cases: [["has_number", [], "Has number"]] } },
    { actions: [call] },
    { actions: [say("It is @webhook.state")] },
  ]);
  const lines = [
    "account: { name: Shop }",
    `contacts: { Ada: "${phone}" }`,
    `flows: [{ definition: ${JSON.stringify(definition)} }]`,
    "triggers: [{ keyword: order, flow: Orders }]",
  ];
  writeFileSync(file, lines.join("\n"));
  return file;
}

it("a server that is killed in a conversation continues it, and repeats a call that had no answer", async () => {
  const folder = temporaryFolder();
  const database = join(folder, "account.db");
  let isUp = false;
  const shop = await receiverThat((_body, response) => {
    // Until the server is killed, the call gets no answer.
    if (isUp) response.setHeader("content-type", "application/json").end('{"state":"packed"}');
  });
  const text = (server: ServerProcess, body: string): Promise<unknown> =>
    server.lab.done("POST", "/do/text", { from: phone, to: "clinic/0", body });
  const textsOf = async ({ api }: ServerProcess): Promise<string[]> =>
    (await api.all("messages.json")).map((message): string => message.text).toReversed();

  const options = ["--db", database, "--receiver", "none"];
  const first = await ServerProcess.start([accountFile(folder, shop.url), ...options]);
  await text(first, "order");
  await until(async () => (await textsOf(first)).length === 2, "the flow has asked");
  await first.end("SIGKILL");

  const second = await ServerProcess.start(options, first.session);
  const [waiting] = await second.api.all("runs.json");
  expect(waiting).toMatchObject({ exit_type: null, path: [{}, {}] });
  await text(second, "number 12");
  await until(() => shop.got.length > 0, "the shop is asked");
  await second.end("SIGKILL");

  isUp = true;
  const third = await ServerProcess.start(options, first.session);
  await until(async () => (await textsOf(third)).length >= 4, "the flow has answered");
  expect(await textsOf(third)).toEqual(["order", "Which order?", "number 12", "It is packed"]);
  expect(shop.got.map(({ path }) => new URL(path, shop.url).searchParams.get("order"))).toEqual(["12", "12"]);
  expect(await third.api.all("runs.json")).toMatchObject([
    {
      uuid: waiting.uuid,
      exit_type: "completed",
      values: { order: { value: "12" }, shop: { value: "200", category: "Success" } },
    },
  ]);
  expect((await third.api.all("flows.json"))[0].runs).toMatchObject({ active: 0, completed: 1 });
});
