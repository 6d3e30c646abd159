import dns from "node:dns";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { HttpClient, type HttpClientOptions } from "../../src/http/index.js";
import { findReceiverSwitch, waitForReceiver } from "../../src/lab/index.js";
import { askLab } from "../../src/serve/index.js";
import { startReceiver } from "../../src/receiver/index.js";
import { post } from "./posts.js";

const asked: string[] = [];

const elsewhere = "127.0.0.3";

// A resolver that leads every name to an address at which nobody listens, as a hosts file or a name server can.
beforeEach(() => {
  asked.length = 0;
  const { lookup } = dns;
  const answer = (name: string, options: dns.LookupOptions, callback: (...found: unknown[]) => void): void => {
    if (isIP(name) !== 0) return lookup(name, options, callback);
    asked.push(name);
    const found = options.all === true ? [[{ address: elsewhere, family: 4 }]] : [elsewhere, 4];
    process.nextTick(() => callback(null, ...found));
  };
  const spied = vi.spyOn(dns, "lookup").mockImplementation(answer as unknown as typeof dns.lookup);
  onTestFinished(() => {
    spied.mockRestore();
  });
});

function newClient(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({ connections: 1, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function listen(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const echoHost: RequestListener = (request, response) => response.end(request.headers.host);

describe("names below localhost lead to this machine, whatever the resolver says", () => {
  it.each(["localhost", "clinic.localhost", "a.b.LocalHost"])("%s: requests of the service", async (name) => {
    for (const host of ["127.0.0.1", "::1"]) {
      const port = await listen(createServer(echoHost), host);
      const result = await post(newClient(), { url: `http://${name}:${port}/` });
      expect(Buffer.from(result.body ?? []).toString()).toBe(`${name.toLowerCase()}:${port}`);
    }
    expect(asked).toEqual([]);
  });

  it("over TLS, with the name that the certificate is checked for", async () => {
    const read = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), "utf8");
    const server = createHttpsServer({ key: read("test-only-key.pem"), cert: read("test-certificate.pem") }, echoHost);
    const port = await listen(server, "127.0.0.1");
    const client = newClient({ ca: read("test-authority.pem") });
    expect(await post(client, { url: `https://localhost:${port}/` })).toMatchObject({ status: 200 });
    expect(asked).toEqual([]);
  });

  it("nobody listens: the error is that of this machine", async () => {
    const result = await post(newClient(), { url: "http://clinic.localhost:1/" });
    expect(result).toMatchObject({ status: null, error: "ECONNREFUSED" });
  });

  it("handset do, the wait for a receiver, and its switch", async () => {
    const lab = createServer((_request, response) => response.end('{"name":"Ready"}'));
    const port = await listen(lab, "127.0.0.1");
    const answer = await askLab({ url: `http://lab.localhost:${port}`, token: "x" }, { method: "GET", path: "/" });
    expect(answer).toEqual({ name: "Ready" });
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const url = receiver.url.replace("127.0.0.1", "receiver.localhost");
    await waitForReceiver(url, 1000);
    const found = await findReceiverSwitch(url);
    await found?.answer({ answers: "status", status: 503 } as Parameters<NonNullable<typeof found>["answer"]>[0]);
    expect(await post(newClient(), { url })).toMatchObject({ status: 503 });
    expect(asked).toEqual([]);
  });

  it("other names are the resolver's", async () => {
    const result = await post(newClient(), { url: "http://localhost.example:1/" });
    expect(result).toMatchObject({ status: null, error: "ECONNREFUSED" });
    expect(asked).toEqual(["localhost.example"]);
  });
});
