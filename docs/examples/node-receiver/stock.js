/**
 * Stock reports by text: `stock 12` is noted for the sender's clinic. A handler of Node's HTTP server, without a framework.
 *
 * @returns {{ handle: import("node:http").RequestListener, stock: Map<string, { count: number, time: string }>, missed: Map<string, number> }}
 */
export function stockReports() {
  const stock = new Map();
  const missed = new Map();
  /** The answer to each event, by its idempotency key: a retry changes nothing and gets the same answer. */
  const answers = new Map();

  /** @param {URLSearchParams} event */
  function answerTo(event) {
    const phone = event.get("phone") ?? "";
    if (event.get("event") === "mo_miss") {
      missed.set(phone, (missed.get(phone) ?? 0) + 1);
      return undefined;
    }
    if (event.get("event") !== "mo_sms") return undefined;
    const text = (event.get("text") ?? "").trim();
    if (/^join$/i.test(text)) return "Send stock and a number, such as: stock 12";
    const [, count] = /^stock\s+(\d{1,5})$/i.exec(text) ?? [];
    if (count === undefined) return "We did not understand. Send: stock 12";
    // Reports may come in another order than they were sent, as after an outage: the latest counts, not the last to come.
    const time = event.get("time") ?? "";
    if (time >= (stock.get(phone)?.time ?? "")) stock.set(phone, { count: Number(count), time });
    return `Noted: ${count} boxes.`;
  }

  return {
    stock,
    missed,
    async handle(request, response) {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const event = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
      const id = event.get("sms") ?? event.get("call") ?? event.get("last_seen");
      const key = [event.get("event"), event.get("relayer"), id].join(" ");
      if (!answers.has(key)) answers.set(key, answerTo(event));
      const text = answers.get(key);
      response.setHeader("content-type", "application/json");
      response.end(text === undefined ? "" : JSON.stringify({ urn: [`tel:${event.get("phone")}`], text }));
    },
  };
}
