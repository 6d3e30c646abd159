import { existsSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../../base/index.js";
import { type RunOptions, runScenario } from "../../run/index.js";
import { scenario } from "../../scenario/index.js";
import { redactedUrl } from "../../wire/index.js";
import { refusedTypes, type RefusedTypes, typedAttempts } from "./refused-types.js";
import type { ZooReceivers } from "./zoo-receivers.js";

/** One event of each type that the service documents, and none of them special. */
const ordinary = scenario({
  name: "Ordinary events",
  lasts: "2h",
  service: { spelling: "both", attempts: 1 },
  handsets: { line: { phone: "+12025550190" } },
  people: { ada: { phone: "+12025550191" } },
  story: [
    { at: "1m", text: { from: "ada", to: "line", body: "hello" } },
    { at: "2m", text: { from: "ada", to: "line", body: "are you there?" } },
    { at: "5m", send: { via: "line", to: "ada", body: "We are open." } },
    { at: "10m", call: { from: "ada", to: "line", rings: "20s" } },
    { at: "15m", call: { from: "ada", to: "line", talks: "1m" } },
    { at: "20m", call: { from: "line", to: "ada", rings: "20s" } },
    { at: "25m", call: { from: "line", to: "ada", talks: "1m" } },
    {
      at: "30m",
      flow: { of: "line", person: "ada", flow: "12", name: "Visit", values: [{ label: "name", text: "Ada" }] },
    },
    // The service takes it for silent.
    { at: "40m", network: { of: "line", type: "none", for: "50m" } },
  ],
});

/**
 * Requires that the receiver accepts an ordinary text. Otherwise every scenario would accuse it, and the reason is most
 * probably another one: the address is wrong, it wants a password, or it knows only people of one country.
 *
 * @param options - `folder`: for a recording
 * @returns the types of which it refuses an ordinary event, too
 * @throws LabError `no-receiver`
 */
export async function requireAccepting({
  receivers,
  ...options
}: Pick<RunOptions, "allowHosts" | "giveUpAfterMs" | "signal"> & {
  readonly receivers: ZooReceivers;
  readonly folder: string;
}): Promise<RefusedTypes> {
  const { allowHosts, giveUpAfterMs, signal, folder } = options;
  const recording = join(folder, "ordinary.db");
  const receiver = await receivers.take();
  try {
    const { result } = await runScenario(ordinary, {
      receiver: receiver.url,
      recording,
      ...(allowHosts !== undefined && { allowHosts }),
      ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
      ...(signal !== undefined && { signal }),
    });
    if (signal?.aborted === true) return new Map();
    const attempts = existsSync(recording) ? typedAttempts(recording) : [];
    const texts = attempts.filter(({ type }) => type === "mo_sms");
    if (texts.some(({ isAccepted }) => isAccepted)) return refusedTypes(attempts);
    const statuses = [...new Set(texts.flatMap(({ status }) => status ?? []))].join(", ");
    const what =
      statuses === ""
        ? (result.problems[0] ?? "it does not answer")
        : `it answers ${statuses} to an ordinary text, where 200 or 201 accepts it`;
    throw new LabError("no-receiver", `${redactedUrl(receiver.url)} cannot be judged: ${what}`, {
      hint:
        "handset post mo_sms -r URL shows one request and its answer: is this the address for events, and does it accept " +
        "people of every country? The zoo has phones from many",
    });
  } finally {
    await receiver.release();
  }
}
