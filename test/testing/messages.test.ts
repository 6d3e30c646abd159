import { describe, expect, it } from "vitest";
import { ADA, answering, BEN, fieldsOf, labFor, messageOf } from "./support.js";

/** What `hears` says when Ada has texted `join` and hears nothing, with the port replaced. */
async function complaint(
  options: Parameters<typeof labFor>[0],
  act?: (lab: Awaited<ReturnType<typeof labFor>>) => void,
): Promise<string> {
  const lab = await labFor(options);
  act?.(lab);
  lab.person(ADA).texts("clinic", "join");
  const message = await messageOf(() => lab.hears(ADA, /welcome/, { within: "2m" }));
  return message.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");
}

describe("a failure says, without any page of this tool,", () => {
  it("what was sent and answered, what was heard instead, and when", async () => {
    expect(await complaint({ receiver: answering(() => "goodbye") })).toBe(
      [
        "+250788123456 did not hear /welcome/ within 2m (until 0:02:00 of lab time)",
        "",
        "Heard instead:",
        '  0:00:20  "goodbye" from clinic/0',
        "",
        "Sent to your receiver (http://127.0.0.1:PORT/):",
        '  0:00:04  mo_sms from +250788123456 to clinic/0: "join"',
        '           your receiver answered 200: {"urn":["tel:+250788123456"],"text":"goodbye"}',
        '  0:00:17  mt_sent to +250788123456 by clinic/0: "goodbye"',
        "           your receiver answered 200 with an empty body",
        '  0:00:29  mt_dlvd to +250788123456 by clinic/0: "goodbye"',
        "           your receiver answered 200 with an empty body",
      ].join("\n"),
    );
  });

  it("that the handler threw, where, and that the service tries again", async () => {
    const message = await complaint({
      receiver: async (request, response) => {
        await fieldsOf(request);
        response.setHeader("x", "1");
        throw new TypeError("members.get is not a function");
      },
    });
    expect(message).toContain("your receiver answered 500: members.get is not a function");
    expect(message).toContain("your handler threw TypeError: members.get is not a function");
    expect(message).toMatch(/at .*messages\.test\.ts:\d+:\d+/);
    expect(message).toMatch(/has not accepted event 1\/1 yet: the service tries again at 0:05:0\d/);
  });

  it("that the handler gave no answer in time", async () => {
    const message = await complaint({ receiver: () => new Promise<Response>(() => undefined), timeout: "50ms" });
    expect(message).toContain("your receiver gave no answer within 0.05 s of real time (option 'timeout' of startLab)");
  });

  it("that it answered without a message, and how a reply is written", async () => {
    const message = await complaint({ receiver: async (_, response) => void response.end('{"status":"ok"}') });
    expect(message).toContain('your receiver answered 200: {"status":"ok"}');
    expect(await complaint({ receiver: (_, response) => response.end() })).toContain(
      'asked for no message. A reply is JSON with the number and the text: {"urn": ["tel:+250788123456"], "text": "…"}',
    );
  });

  it("why the service ignored an answer", async () => {
    const long = "x".repeat(481);
    const message = await complaint({ receiver: answering(() => long) });
    expect(message).toMatch(/The service ignored this answer: .*48[01]/);
  });

  it("that a reply went to somebody else", async () => {
    const message = await complaint({
      receiver: async (request, response) => {
        await fieldsOf(request);
        response.end(JSON.stringify({ urn: [`tel:${BEN}`], text: "welcome" }));
      },
    });
    expect(message).toContain('Your reply "welcome" went to +250788654321, not to +250788123456.');
  });

  it("where the text is that never came to the service", async () => {
    const offline = await complaint({ receiver: answering() }, (lab) => lab.network({ of: "clinic", type: "none" }));
    expect(offline).toContain("Sent to your receiver (http://127.0.0.1:PORT/):\n  nothing");
    expect(offline).toContain("is on clinic/0 and has not been synced (clinic/0 has no data link)");
    const unreachable = await complaint({ receiver: answering() }, (lab) =>
      lab.airplane({ of: "clinic", state: "on" }),
    );
    expect(unreachable).toContain(
      'The text "join" is still on its way to clinic/0: the carrier cannot reach the handset',
    );
  });

  it("where the reply is that did not come", async () => {
    const lab = await labFor({ receiver: answering(() => "welcome") });
    lab.person(ADA).texts("clinic", "join");
    await lab.advance("6s");
    lab.network({ of: "clinic", type: "none" });
    expect(await messageOf(() => lab.hears(ADA, /welcome/, { within: "2m" }))).toContain(
      'Your reply "welcome" is under way: the service has it in its queue, and the handset has not fetched it (clinic/0 has no data link).',
    );
  });

  it("that nobody has texted", async () => {
    const lab = await labFor({ receiver: answering() });
    expect(await messageOf(() => lab.hears(ADA, /welcome/))).toContain(
      "+250788123456 has not texted or called any handset, and nothing was sent to this number.",
    );
  });

  it("that nothing listens at the URL", async () => {
    expect(await complaint({ receiver: "http://127.0.0.1:9/" })).toContain("nothing listens at the receiver's URL");
  });

  it("that trouble on the way was the cause", async () => {
    const message = await complaint({ receiver: answering() }, (lab) =>
      lab.delivery({ of: "clinic", "requests-lost": true }),
    );
    expect(message).toContain("trouble on the way (delivery: requests-lost): the service got no answer");
  });

  it("points its stack at the line of the test", async () => {
    const lab = await labFor();
    const error = await lab.hears(ADA, /x/, { within: "1s" }).catch((one: Error) => one);
    expect((error as Error).stack?.split("\n").find((line) => /^\s+at /.test(line))).toContain("messages.test.ts");
  });
});
