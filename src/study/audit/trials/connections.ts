import { answerWords, type Exchange, isAccepted, isFailure, replyText } from "../client.js";
import { type AuditContext, type Control, ORDINARY_TEXT, type Person, refusedText } from "../context.js";
import { hasText } from "../effects.js";
import { RawConnection } from "../raw.js";
import { type AuditTrial, fault, observed, type Outcome, passed, untested } from "../trial.js";
import { variantTrial } from "../variant.js";

const transport = "docs/reference/webhook.md#transport";

const PROOFS = 3;

/** Writes an event on a connection of its own. */
type Play = (connection: RawConnection, body: string) => Promise<Exchange>;

/** A trial that writes an ordinary text in another way. */
function rawTrial(
  head: Omit<AuditTrial, "run">,
  options: { readonly play: Play; readonly refusal: "fault" | "observed"; readonly needsText?: true },
): AuditTrial {
  const run = async (context: AuditContext): Promise<Outcome> => {
    let control = await context.control("mo_sms");
    const proofs: Exchange[] = [];
    let seen = "";
    for (let proof = 0; proof < PROOFS; proof++) {
      if (proof > 0) control = await context.askControl("mo_sms");
      if (!control.isAccepted) return untested(refusedText("mo_sms", control));
      const person = context.person();
      const body = context.body("mo_sms", { phone: person.phone });
      context.client.spend(1);
      const connection = new RawConnection(context.client);
      const exchange = await options.play(connection, body).finally(() => connection.close());
      const lost =
        isAccepted(exchange) && options.needsText === true
          ? await lostText(context, { exchange, person, control })
          : undefined;
      const wrong = isAccepted(exchange) ? lost : answerWords(exchange);
      if (wrong === undefined) return passed;
      if (!isAccepted(exchange) && !isFailure(exchange) && options.refusal === "observed") {
        return observed(`it is refused with ${wrong}`);
      }
      seen = isAccepted(exchange) ? wrong : `it is answered with ${wrong}`;
      proofs.push(exchange);
    }
    return fault(seen, proofs.slice(0, 1));
  };
  return { ...head, run };
}

/** How the text of an accepted event was cut; undefined: it was not, or nobody can see it. */
async function lostText(
  context: AuditContext,
  { exchange, person, control }: { exchange: Exchange; person: Person; control: Control },
): Promise<string | undefined> {
  const reply = replyText(exchange);
  if (control.echoes && reply?.includes(ORDINARY_TEXT) !== true) return "it is accepted, and the reply lacks the text";
  if (!control.keepsText) return undefined;
  const records = await context.recordsFor(person);
  if (hasText(records, ORDINARY_TEXT)) return undefined;
  return records.length === 0
    ? "it is accepted, and the effects show nothing of it"
    : "its text is not kept as it was sent";
}

/** Writes a body in some pieces. */
function pieces(body: string, count: number): string[] {
  const length = Math.ceil(body.length / count);
  return Array.from({ length: count }, (_, index) => body.slice(index * length, (index + 1) * length));
}

const chunk = (piece: string): string => `${piece.length.toString(16)}\r\n${piece}\r\n`;

async function tryKeepAlive(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  let last: Exchange | undefined;
  for (let proof = 0; proof < PROOFS; proof++) {
    const [one, two] = [0, 1].map(() => context.body("mo_sms", { phone: context.person().phone })) as [string, string];
    context.client.spend(2);
    const connection = new RawConnection(context.client);
    try {
      await connection.write([connection.head(one) + one]);
      const first = await connection.answer({ body: one });
      if (!isAccepted(first) || /close/i.test(String(first.headers["connection"] ?? ""))) return passed;
      if (
        first.headers["content-length"] === undefined &&
        first.headers["transfer-encoding"] === undefined &&
        first.status !== 204
      )
        return passed;
      await connection.write([connection.head(two) + two]);
      const second = await connection.answer({ body: two, note: "on the connection of the event before" });
      if (isAccepted(second) || second.status !== null) return passed;
      last = second;
    } finally {
      connection.close();
    }
  }
  return last === undefined
    ? passed
    : fault(`the second event on a connection gets no answer: ${answerWords(last)}`, [last]);
}

/** HTTP as services, proxies and slow links write it. */
export const connectionTrials: readonly AuditTrial[] = [
  rawTrial(
    {
      id: "body-slow",
      title: "A body that comes slowly goes wrong",
      severity: "high",
      why: "Over a slow link or through a proxy a body comes in several packets.",
      field: transport,
      about: "a text whose body comes in five pieces, 40 ms apart: it must be accepted and kept whole",
    },
    {
      refusal: "fault",
      needsText: true,
      play: async (connection, body) => {
        await connection.write([connection.head(body), ...pieces(body, 5)], 40);
        return connection.answer({ body, note: "the body in five pieces, 40 ms apart" });
      },
    },
  ),
  rawTrial(
    {
      id: "body-chunked",
      title: "A body in chunks crashes the receiver",
      severity: "low",
      why: "Proxies pass bodies on in chunks, without a length.",
      field: transport,
      about: "a text whose body is sent with Transfer-Encoding: chunked: it must not crash the receiver",
    },
    {
      refusal: "observed",
      play: async (connection, body) => {
        const head = connection.head(body, { "Content-Length": null, "Transfer-Encoding": "chunked" });
        await connection.write([`${head}${pieces(body, 3).map(chunk).join("")}0\r\n\r\n`]);
        return connection.answer({ body, note: "Transfer-Encoding: chunked" });
      },
    },
  ),
  rawTrial(
    {
      id: "expect-continue",
      title: "Expect: 100-continue is refused",
      severity: "low",
      why: "HTTP libraries send it with longer bodies, and wait for the permission.",
      field: transport,
      about:
        "a text with Expect: 100-continue, its body sent after the permission or after a second: it must be accepted",
    },
    {
      refusal: "fault",
      play: async (connection, body) => {
        await connection.write([connection.head(body, { Expect: "100-continue" })]);
        await connection.hears(1000);
        await connection.write([body]);
        return connection.answer({ body, note: "Expect: 100-continue" });
      },
    },
  ),
  rawTrial(
    {
      id: "connection-close",
      title: "An event with Connection: close goes wrong",
      severity: "medium",
      why: "The service opens a connection for each event.",
      field: transport,
      about: "a text with Connection: close: it must be accepted",
    },
    {
      refusal: "fault",
      play: async (connection, body) => {
        await connection.write([connection.head(body, { Connection: "close" }) + body]);
        return connection.answer({ body, note: "Connection: close" });
      },
    },
  ),
  rawTrial(
    {
      id: "header-case",
      title: "Headers in lower case go wrong",
      severity: "medium",
      why: "Proxies write header names in lower case.",
      field: transport,
      about: "a text with header names in lower case: it must be accepted",
    },
    {
      refusal: "fault",
      play: async (connection, body) => {
        const head = connection.head(body).replaceAll(/^[A-Z][\w-]*(?=: )/gm, (name) => name.toLowerCase());
        await connection.write([head + body]);
        return connection.answer({ body, note: "header names in lower case" });
      },
    },
  ),
  {
    id: "keep-alive",
    title: "A connection is closed without notice",
    severity: "low",
    why: "An event that leaves on the closed connection fails, and comes again five minutes later.",
    field: transport,
    about: "two texts on one connection: the second must be answered, unless the first answer says Connection: close",
    run: tryKeepAlive,
  },
  variantTrial(
    {
      id: "content-type-charset",
      title: "A content type with a charset is refused",
      severity: "low",
      why: "HTTP libraries add the charset to the content type.",
      field: transport,
      about: "a text with `; charset=utf-8` after the content type: it must be accepted",
    },
    {
      type: "mo_sms",
      post: {
        contentType: "application/x-www-form-urlencoded; charset=utf-8",
        note: "content type with charset=utf-8",
      },
      refusal: "fault",
      keeps: () => "person",
    },
  ),
  {
    id: "query-kept",
    title: "An address with a query is not found",
    severity: "low",
    why: "A delivery URL may carry a secret or a name in its query, which the service keeps byte for byte.",
    field: transport,
    about: "a text to the address with a further query field: it must not fail",
    run: async (context) => {
      const control = await context.control("mo_sms");
      if (!control.isAccepted) return untested(refusedText("mo_sms", control));
      const { pathname, search } = context.client.url;
      const path = `${pathname}${search}${search === "" ? "?" : "&"}handset=audit`;
      for (let proof = 0; ; proof++) {
        const body = context.body("mo_sms", { phone: context.person().phone });
        const exchange = await context.post(body, { path, note: `to ${path}` });
        if (isAccepted(exchange)) return passed;
        if (exchange.status !== 404 && !isFailure(exchange))
          return observed(`it is refused with ${answerWords(exchange)}`);
        if (proof === PROOFS - 1) return fault(`it is answered with ${answerWords(exchange)}`, [exchange]);
      }
    },
  },
];
