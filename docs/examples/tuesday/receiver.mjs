// A receiver of the story in docs/field-bugs.md: it registers people who text JOIN, and answers each of them.
//
//   node receiver.mjs PORT            knows a text by its id, so a text that a phone tells again counts twice
//   node receiver.mjs PORT --fixed   knows a text by person, words and time
import { createServer } from "node:http";

const [port = "9000", flag] = process.argv.slice(2);
const isFixed = flag === "--fixed";
const seen = new Set();
let members = 0;

/** The answer to an event: JSON that asks for a message, or an empty object. */
function answerTo(event) {
  if (event.get("event") !== "mo_sms") return {};
  const key = isFixed ? `${event.get("phone")} ${event.get("text")} ${event.get("time")}` : event.get("sms");
  if (seen.has(key)) return {};
  seen.add(key);
  if (event.get("text") !== "JOIN") return {};
  members += 1;
  return { phone: event.get("phone"), text: `Welcome, you are member ${members}.` };
}

createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    if (request.url === "/health") return response.end(JSON.stringify({ ok: true, members }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answerTo(new URLSearchParams(body))));
  });
}).listen(Number(port), "127.0.0.1");
