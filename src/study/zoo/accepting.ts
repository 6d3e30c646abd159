import { LabError } from "../../base/index.js";
import { type RunOptions, runScenario } from "../../run/index.js";
import { scenario } from "../../scenario/index.js";
import { redactedUrl } from "../../wire/index.js";
import type { ZooReceivers } from "./zoo-receivers.js";

/** Two ordinary texts, which every receiver of these events accepts. */
const ordinary = scenario({
  name: "Ordinary texts",
  lasts: "10m",
  service: { spelling: "both", attempts: 1 },
  handsets: { line: { phone: "+12025550190" } },
  people: { ada: { phone: "+12025550191" } },
  story: [
    { at: "1m", text: { from: "ada", to: "line", body: "hello" } },
    { at: "2m", text: { from: "ada", to: "line", body: "are you there?" } },
  ],
});

/**
 * Requires that the receiver accepts an ordinary text. Otherwise every scenario would accuse it, and the reason is most
 * probably another one: the address is wrong, or it wants a password.
 *
 * @throws LabError `no-receiver`
 */
export async function requireAccepting({
  receivers,
  ...options
}: Pick<RunOptions, "allowHosts" | "giveUpAfterMs" | "signal"> & { readonly receivers: ZooReceivers }): Promise<void> {
  const { allowHosts, giveUpAfterMs, signal } = options;
  const receiver = await receivers.take();
  try {
    const { result } = await runScenario(ordinary, {
      receiver: receiver.url,
      recording: "none",
      ...(allowHosts !== undefined && { allowHosts }),
      ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
      ...(signal !== undefined && { signal }),
    });
    if (result.attempts.accepted > 0 || signal?.aborted === true) return;
    const statuses = Object.keys(result.statuses ?? {}).join(", ");
    const what =
      statuses === ""
        ? (result.problems[0] ?? "it does not answer")
        : `it answers ${statuses} to an ordinary text, where 200 or 201 accepts it`;
    throw new LabError("no-receiver", `${redactedUrl(receiver.url)} cannot be judged: ${what}`, {
      hint: "handset post mo_sms -r URL shows one request and its answer: is this the address for events?",
    });
  } finally {
    await receiver.release();
  }
}
