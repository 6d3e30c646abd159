import { describe, expect, it, onTestFinished } from "vitest";
import { HttpClient, type HttpClientOptions, postOnce, ThreadedHttpClient } from "../../src/http/index.js";
import { serveHttp, serveTcp, type TestServer } from "../support/server.js";
import { post } from "./posts.js";
import { onRequest, says } from "./servers.js";

function newClient(options: HttpClientOptions = {}): HttpClient {
  const client = new HttpClient(options);
  onTestFinished(() => client.close());
  return client;
}

/** A server that keeps each request as `METHOD path content-type content-length body`. */
async function serveNoting(
  answer: { status?: number; location?: string } = {},
): Promise<TestServer & { seen: string[] }> {
  const seen: string[] = [];
  const server = await serveHttp((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { "content-type": type = "-", "content-length": length = "-" } = request.headers;
      seen.push(`${request.method} ${request.url} ${type} ${length} ${body}`);
      if (answer.location === undefined || request.url === answer.location) response.end("done");
      else response.writeHead(answer.status ?? 302, { location: answer.location }).end();
    });
  });
  return { ...server, seen };
}

const form = "application/x-www-form-urlencoded";

describe("a method", () => {
  it.each([
    ["GET", "GET /a - - "],
    ["HEAD", "HEAD /a - - "],
    ["PUT", `PUT /a ${form} 4 é=1`],
    ["PATCH", `PATCH /a ${form} 4 é=1`],
    ["DELETE", `DELETE /a ${form} 4 é=1`],
    ["OPTIONS", `OPTIONS /a ${form} 4 é=1`],
    ["POST", `POST /a ${form} 4 é=1`],
    ["REPORT", `REPORT /a ${form} 4 é=1`],
  ])("%s is sent as %j", async (method, expected) => {
    const server = await serveNoting();
    const result = await post(newClient(), { url: `${server.url}a`, method, body: "é=1" });
    expect(result).toMatchObject({ status: 200, error: null });
    expect(server.seen).toEqual([expected]);
  });

  it("without a body sends content-length only where the method expects a body", async () => {
    const server = await serveNoting();
    const client = newClient({ contentType: null });
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      await post(client, { url: server.url, method, body: "" });
    }
    expect(server.seen).toEqual(["POST / - 0 ", "PUT / - 0 ", "PATCH / - 0 ", "DELETE / - - ", "OPTIONS / - - "]);
  });

  it.each(["", "GET /x HTTP/1.1\r\nHost:", "A B", "CONNECT"])("%j cannot be sent", async (method) => {
    const client = newClient();
    expect(() => client.post({ url: "http://127.0.0.1/", method, body: "", timeoutMs: 1000 }, () => undefined)).toThrow(
      RangeError,
    );
    const threaded = await ThreadedHttpClient.start({}, { allowHosts: [] });
    onTestFinished(() => threaded.close());
    expect(() =>
      threaded.post({ url: "http://127.0.0.1/", method, body: "", timeoutMs: 1000 }, () => undefined),
    ).toThrow(RangeError);
  });

  it("reaches the server from another thread, too", async () => {
    const server = await serveNoting();
    const threaded = await ThreadedHttpClient.start({}, { allowHosts: [] });
    onTestFinished(() => threaded.close());
    await post(threaded, { url: server.url, method: "PUT", body: "a", headers: { "content-type": "text/plain" } });
    await post(threaded, { url: server.url, body: "b" });
    await post(threaded, { url: server.url, method: "GET" });
    expect(server.seen).toEqual(["PUT / text/plain 1 a", `POST / ${form} 1 b`, "GET / - - "]);
  });

  it("is kept by a single request, too", async () => {
    const server = await serveNoting();
    expect(await postOnce({ url: server.url, method: "DELETE", body: "", timeoutMs: 5000 })).toMatchObject({
      status: 200,
    });
    expect(server.seen).toEqual(["DELETE / - - "]);
  });
});

describe("headers of a request", () => {
  it("replace the content type, and come beside the client's own headers", async () => {
    const headers: unknown[] = [];
    const server = await serveHttp((request, response) => {
      const { "content-type": type, "user-agent": agent, "x-key": key, authorization } = request.headers;
      headers.push([type, agent, key, authorization]);
      response.end();
    });
    const client = newClient({ headers: { "x-key": "all" } });
    await post(client, { url: server.url, method: "PUT", headers: { "Content-Type": "application/json" } });
    await post(client, { url: server.url, method: "GET", headers: { Authorization: "Token 1", "X-Key": "one" } });
    await post(client, { url: server.url });
    expect(headers).toEqual([
      ["application/json", "handset-lab", "all", undefined],
      [undefined, "handset-lab", "one", "Token 1"],
      [form, "handset-lab", "all", undefined],
    ]);
  });

  it("are the only content type of a client without one", async () => {
    const server = await serveNoting();
    const client = newClient({ contentType: null });
    await post(client, { url: server.url, body: "a" });
    await post(client, { url: server.url, body: "a", headers: { "content-type": "text/plain" } });
    expect(server.seen).toEqual(["POST / - 1 a", "POST / text/plain 1 a"]);
  });
});

describe("the answer to a HEAD", () => {
  it.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["neither", "HTTP/1.1 200 OK\r\n\r\n"],
  ])("ends with its head, although it names %s", async (_what, bytes) => {
    const server = await says(bytes);
    const result = await post(newClient(), { url: server.url, method: "HEAD", timeoutMs: 2000 });
    expect(result).toMatchObject({ status: 200, error: null, body: null, bodyBytes: 0 });
  });

  it("leaves the answer to the next request of the connection as it is", async () => {
    const requests: string[] = [];
    const server = await serveTcp((socket) =>
      onRequest(socket, (request) => {
        const method = request.slice(0, request.indexOf(" "));
        requests.push(method);
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${method === "HEAD" ? "" : "ok"}`);
      }),
    );
    const client = newClient({ connections: 1 });
    for (const method of ["GET", "HEAD", "GET", "HEAD", "GET"]) {
      expect(await post(client, { url: server.url, method })).toMatchObject({
        status: 200,
        bodyBytes: method === "HEAD" ? 0 : 2,
      });
    }
    expect(requests).toEqual(["GET", "HEAD", "GET", "HEAD", "GET"]);
  });
});

describe("a redirect", () => {
  it.each([
    [302, "PUT", [`PUT / ${form} 1 a`, "GET /b - - "]],
    [303, "DELETE", [`DELETE / ${form} 1 a`, "GET /b - - "]],
    [301, "GET", ["GET / - - ", "GET /b - - "]],
    [302, "HEAD", ["HEAD / - - ", "HEAD /b - - "]],
    [307, "PUT", [`PUT / ${form} 1 a`, `PUT /b ${form} 1 a`]],
    [308, "DELETE", [`DELETE / ${form} 1 a`, `DELETE /b ${form} 1 a`]],
    [307, "GET", ["GET / - - ", "GET /b - - "]],
  ])("%d of a %s", async (status, method, expected) => {
    const server = await serveNoting({ status, location: "/b" });
    const result = await post(newClient({ redirects: true }), { url: server.url, method, body: "a" });
    expect(result).toMatchObject({ status: 200, redirects: [`${server.url}b`] });
    expect(server.seen).toEqual(expected);
  });
});
