import fastify, { type FastifyInstance } from "fastify";

type Fields = Readonly<Record<string, string | undefined>>;

/** The reminders of a clinic: who texts `join` gets them. It also counts the calls that nobody picked up. */
export function clinic(): FastifyInstance {
  const members = new Set<string>();
  const missedCalls = new Map<string, number>();
  /** What each event was answered: a retry gets the same answer again, as the first one may have been lost. */
  const answers = new Map<string, string>();
  /** Texts by sender, words and time: a phone may report one text twice, under two ids. */
  const texts = new Set<string>();

  function answerTo({ event, phone = "", text = "", time }: Fields): string {
    if (event === "mo_miss") {
      missedCalls.set(phone, (missedCalls.get(phone) ?? 0) + 1);
      return `We have seen your call (${missedCalls.get(phone)}). Text join to get reminders.`;
    }
    if (event !== "mo_sms" || text.trim().toLowerCase() !== "join") return "";
    const isCopy = texts.has(`${phone} ${text} ${time}`);
    texts.add(`${phone} ${text} ${time}`);
    if (isCopy) return "";
    if (members.has(phone)) return "You get our reminders already.";
    members.add(phone);
    return `Welcome! You are member ${members.size}.`;
  }

  const app = fastify();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post("/events", (request, reply) => {
    const fields = request.body as Fields;
    const key = `${fields["event"]} ${fields["relayer"]} ${fields["sms"] ?? fields["call"] ?? fields["last_seen"]}`;
    const text = answers.get(key) ?? answerTo(fields);
    answers.set(key, text);
    return text === "" ? reply.send() : reply.send({ urn: [`tel:${fields["phone"]}`], text });
  });
  app.get("/members", () => ({ members: [...members], missedCalls: Object.fromEntries(missedCalls) }));
  return app;
}
