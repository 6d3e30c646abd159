import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { curlOf } from "../../src/control/chain/curl.js";

const got: { readonly body: Buffer; readonly headers: Readonly<Record<string, unknown>>; readonly url: string }[] = [];
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    got.push({ body: Buffer.concat(parts), headers: request.headers, url: request.url ?? "" });
    response.end("{}");
  });
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events?of={a,b}`;
});
afterAll(() => server.close());

const type = "application/x-www-form-urlencoded";

/** What the server gets when a shell reads the command, as from a terminal. */
async function posted(shell: string, body: string): Promise<(typeof got)[number]> {
  got.length = 0;
  const child = spawn(shell, { stdio: ["pipe", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  child.stdin.end(
    `${curlOf({
      url,
      headers: [
        ["content-type", type],
        ["x-empty", ""],
      ],
      body,
    })}\n`,
  );
  const [code] = (await once(child, "close")) as [number];
  expect([code, stderr, got.length]).toEqual([0, "", 1]);
  const [request] = got;
  if (request === undefined) throw new Error("nothing came");
  return request;
}

const long = (unit: string): string => unit.repeat(Math.ceil(110_000 / unit.length));

const bodies: Readonly<Record<string, string>> = {
  "a form": long("text=hello+there%21&from=%2B250788000001&"),
  "one without a line feed at its end": long("a\n") + "b",
  "one with a line feed at its end": long("a\n"),
  "one with many at its end": long("a") + "\n\n\n",
  "quotes, dollars, backslashes and marks": long(
    `'it"s' $HOME \${x} $(id) \`id\` \\n \\ !! !x %s ~ # & ; | < > * ? \t\n`,
  ),
  "the end of a here-document": long("x\nEND\nEND_\n END\nEND__ \n"),
  "other scripts": long("😀 שלום ᠮᠣ Ωμ é\n"),
  "NUL and carriage returns": long("a\0b\r\nc\u001b[31m\u0004\u001a\u007f\u0085"),
  "a long line": "x".repeat(1_000_000),
};

describe.each(["sh", "bash"])("the command in %s", (shell) => {
  it.each(Object.entries(bodies))("posts exactly the bytes of a body over 100 KiB: %s", async (_name, body) => {
    const request = await posted(shell, body);
    expect(request.body.equals(Buffer.from(body))).toBe(true);
    expect(request.headers).toMatchObject({ "content-type": type, "x-empty": "" });
    expect(request.url).toBe("/events?of={a,b}");
  });

  it.each([
    ["102,400 bytes, the longest argument", "x".repeat(102_400), /--data-raw/],
    ["one more", "x".repeat(102_401), /^head -c 102401 <<'END' \| curl /],
    ["one more in UTF-8", "é".repeat(51_201), /^head -c 102402 <<'END' \| curl /],
    ["a short body with NUL, which no argument can have", "a\0b", /^base64 -d <<'END' \| curl /],
    ["nothing", "", /--data-raw ''/],
  ])("posts %s", async (_name, body, form) => {
    expect(curlOf({ url, headers: [], body })).toMatch(form);
    expect((await posted(shell, body)).body.equals(Buffer.from(body))).toBe(true);
  });

  it("posts any text as it is, short or long", async () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.string());
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(1, 110_000), async (unit, bytes) => {
        const body = unit.repeat(Math.ceil(bytes / Math.max(1, unit.length)));
        expect((await posted(shell, body)).body.equals(Buffer.from(body))).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});
