import { createServer, request as nodeRequest } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { HttpClient } from "../../../src/http/index.js";
import { parseTarget } from "../../../src/http/url-target.js";
import { listen } from "../../support/server.js";
import { runs } from "../../support/effort.js";

const numRuns = runs(80, 5000);

/** A request as the server received it. */
interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

const own = {
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "handset-lab",
  "accept-encoding": "identity",
};

const path = fc.webPath({ size: "small" });
const query = fc.oneof(
  fc.constant(""),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc.string({ unit: "binary" }).map((text) => `?${text.replaceAll("#", "")}`),
);
const auth = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string({ unit: "grapheme" }), fc.string())
      .map(([user, password]) => `${encodeURIComponent(user.toWellFormed())}:${encodeURIComponent(password)}@`),
  },
);
const body = fc.oneof(
  fc.webQueryParameters(),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.integer({ min: 0, max: 300_000 }).map((length) => "a".repeat(length)),
);
const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/).map((text) => `x-${text}`);
const value = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 20,
});
const headers = fc.dictionary(
  fc.oneof({ weight: 3, arbitrary: name }, fc.constantFrom("authorization", "host", "User-Agent", "content-type")),
  value.map((text) => text.trim()),
  { maxKeys: 4, noNullPrototype: true },
);

it("a server receives the same request from our client and from Node's", async () => {
  const received: Received[] = [];
  const server = createServer(
    (request, response) =>
      void text(request).then((content) => {
        const lines = request.rawHeaders.flatMap((line, at, all) =>
          at % 2 === 0 ? `${line.toLowerCase()}: ${all[at + 1]}` : [],
        );
        received.push({ method: request.method, url: request.url, headers: lines.sort(), body: content });
        response.end();
      }),
  );
  const { port } = await listen(server);
  await fc.assert(
    fc.asyncProperty(
      path,
      query,
      auth,
      body,
      headers,
      fc.boolean(),
      async (path, query, auth, body, headers, isForAll) => {
        const url = `http://${auth}127.0.0.1:${port}${path}${query}`;
        const client = new HttpClient(isForAll ? { headers } : {});
        onTestFinished(() => client.close());
        received.length = 0;
        const result = await new Promise((resolve) =>
          client.post({ url, body, timeoutMs: 5000, ...(!isForAll && { headers }) }, resolve),
        );
        expect(result).toMatchObject({ status: 200 });
        client.close();
        const target = parseTarget(url);
        if (target === null) throw new Error(`${url} is refused`);
        const lower = Object.fromEntries(Object.entries(headers).map(([key, text]) => [key.toLowerCase(), text]));
        await new Promise<void>((resolve, reject) => {
          const outgoing = nodeRequest({
            method: "POST",
            host: "127.0.0.1",
            port,
            path: target.path,
            ...(target.auth !== undefined && { auth: target.auth }),
            headers: { ...own, ...lower, connection: "keep-alive", "content-length": Buffer.byteLength(body) },
            agent: false,
          });
          outgoing.on("response", (answer) => answer.resume().on("end", resolve));
          outgoing.on("error", reject);
          // Not a string: Node would then write the headers, too, as UTF-8 and not as the documented Latin-1.
          outgoing.end(Buffer.from(body));
        });
        expect(received[0]).toEqual(received[1]);
        expect(received).toHaveLength(2);
      },
    ),
    { numRuns },
  );
});
