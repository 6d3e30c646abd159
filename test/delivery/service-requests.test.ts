import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { type ServiceAnswer, type ServiceRequest, ServiceRequests } from "../../src/delivery/index.js";
import { allowedHosts } from "../../src/http/index.js";
import { Kernel } from "../../src/sim/index.js";
import { freePort, serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

interface Setup {
  readonly requests: ServiceRequests;
  readonly kernel: Kernel;
  readonly answers: { atMs: number; name: string; answer: ServiceAnswer }[];
  readonly refused: string[];
  /** Makes a request whose answer is kept. */
  readonly post: (url: string, changes?: Partial<ServiceRequest>) => void;
  /** Calls the listeners of `whenFlushed`; undefined: requests are sent when they are made. */
  readonly flush: () => void;
}

function setup(options: { answersAfterMs?: number; allow?: readonly string[]; isRecorded?: boolean } = {}): Setup {
  const kernel = new Kernel();
  const answers: Setup["answers"] = [];
  const refused: string[] = [];
  const waiting: (() => void)[] = [];
  const requests = new ServiceRequests({
    kernel,
    answersAfterMs: options.answersAfterMs,
    isAllowed: allowedHosts(options.allow ?? []),
    refused: (host) => refused.push(host),
    failed: (error) => {
      throw error;
    },
    ...(options.isRecorded === true && { recording: { whenFlushed: (then: () => void) => void waiting.push(then) } }),
  });
  onTestFinished(() => requests.close());
  let count = 0;
  const post = (url: string, changes: Partial<ServiceRequest> = {}): void => {
    const request = {
      name: `request/${++count}`,
      atMs: kernel.now,
      method: "POST",
      url,
      headers: {},
      body: "a",
      timeoutMs: 2000,
      ...changes,
    };
    requests.postRequest(request, (answer) => answers.push({ atMs: kernel.now, name: request.name, answer }));
  };
  return { requests, kernel, answers, refused, post, flush: () => waiting.splice(0).forEach((then) => then()) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  await once(request, "end");
  return body;
}

it("sends method, headers and body as the owner gives them, and reports the answer", async () => {
  const seen: unknown[] = [];
  const server = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      const { "content-type": type = null, "x-name": name = "" } = request.headers;
      seen.push([request.method, request.url, type, Buffer.from(String(name), "latin1").toString(), body]);
      response.writeHead(202, { "X-Answer": "yes" }).end("thanks");
    });
  });
  const { requests, answers, post } = setup();
  post(`${server.url}stock?key=a%20b`, { headers: { "Content-Type": "application/json" }, body: '{"item":"Zinc é"}' });
  expect(requests.inFlight).toBe(1);
  await requests.progress();
  expect(requests.inFlight).toBe(0);
  post(server.url, { method: "GET", headers: { "X-Name": "Zoë", "Content-Length": "70", Connection: "close" } });
  await requests.progress();
  expect(seen).toEqual([
    ["POST", "/stock?key=a%20b", "application/json", "", '{"item":"Zinc é"}'],
    ["GET", "/", null, "Zoë", ""],
  ]);
  expect(answers).toMatchObject([
    { name: "request/1", answer: { status: 202, error: null } },
    { name: "request/2", answer: { status: 202, error: null } },
  ]);
  expect(answers[0]?.answer.headers).toMatch(/^X-Answer: yes$/m);
  expect(Buffer.from(answers[0]?.answer.body ?? []).toString()).toBe("thanks");
});

it("keeps 64 KiB of an answer's body", async () => {
  const server = await serveHttp((_request, response) => response.end("é".repeat(100_000)));
  const { requests, answers, post } = setup();
  post(server.url);
  await requests.progress();
  expect(answers[0]?.answer.body?.length).toBe(64 * 1024);
});

it("reports every status as an answer", async () => {
  for (const status of [204, 302, 404, 410, 500, 599]) {
    const server = await serveHttp((_request, response) => response.writeHead(status).end());
    const { requests, answers, post } = setup();
    post(server.url);
    await requests.progress();
    expect(answers).toMatchObject([{ answer: { status, error: null } }]);
  }
});

it("follows redirects of a request that asks for it, as many as it says", async () => {
  const server = await serveHttp((request, response) => {
    const hop = Number((request.url ?? "").slice(1));
    if (hop === 3) response.end(`${request.method} ${request.headers.authorization}`);
    else response.writeHead(hop === 0 ? 307 : 302, { location: `/${hop + 1}` }).end("over there");
  });
  const { requests, answers, post } = setup();
  const headers = { Authorization: "Token secret" };
  for (const changes of [{ maxRedirects: 3, headers }, { maxRedirects: 2 }, {}]) post(server.url, changes);
  await requests.drain();
  const hops = ["1", "2", "3"].map((path) => `${server.url}${path}`);
  const inOrder = answers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(inOrder.map(({ answer }) => [answer.status, answer.error, answer.redirects])).toEqual([
    [200, null, hops],
    [null, "too-many-redirects", hops.slice(0, 2)],
    [307, null, []],
  ]);
  expect(Buffer.from(inOrder[0]?.answer.body ?? []).toString()).toBe("GET Token secret");
});

it("does not follow a redirect to a host that is not allowed, and reports the host once", async () => {
  const server = await serveHttp((_request, response) =>
    response.writeHead(302, { location: "http://hooks.example.org:8080/a" }).end(),
  );
  const { requests, answers, refused, post } = setup();
  for (let count = 0; count < 2; count++) post(server.url, { maxRedirects: 9 });
  await requests.drain();
  const error = "redirect-not-allowed: hooks.example.org is not this machine, and --allow-host does not name it";
  expect(answers.map(({ answer }) => answer)).toMatchObject([
    { status: null, error },
    { status: null, error },
  ]);
  expect(refused).toEqual(["hooks.example.org"]);
});

it("names the host of a redirect that follows more headers than are kept", async () => {
  const server = await serveHttp((_request, response) =>
    response.writeHead(302, { "x-filler": "x".repeat(9000), location: "http://hooks.example.org/" }).end(),
  );
  const { requests, answers, refused, post } = setup();
  post(server.url, { maxRedirects: 9 });
  await requests.drain();
  expect(answers[0]?.answer.error).toMatch(/^redirect-not-allowed: hooks\.example\.org is not this machine/);
  expect(refused).toEqual(["hooks.example.org"]);
});

it("reports failures by their error code", async () => {
  const silent = await serveHttp(() => undefined);
  for (const [url, changes, error] of [
    [`http://127.0.0.1:${await freePort()}/`, {}, "ECONNREFUSED"],
    [silent.url, { timeoutMs: 100 }, "ETIMEDOUT"],
    ["ftp://127.0.0.1/stock", {}, "bad-url"],
    ["nowhere", {}, "bad-url"],
    [silent.url, { method: "A B" }, "bad-request: method 'A B' cannot be sent: it is not an HTTP token"],
    [silent.url, { headers: { "a b": "1" } }, expect.stringMatching(/^bad-request: header 'a b' cannot be sent/)],
    [silent.url, { headers: { a: "1\nb: 2" } }, expect.stringMatching(/^bad-request: header 'a' cannot be sent/)],
  ] as const) {
    const { requests, answers, post } = setup();
    post(url, changes);
    await requests.progress();
    expect(answers).toMatchObject([{ answer: { status: null, error } }]);
  }
});

it("a host that is not allowed is an error, and is reported once", async () => {
  const { requests, answers, refused, post } = setup({ allow: ["other.example"] });
  for (const host of ["hooks.example.org", "hooks.example.org:8080", "third.example"]) post(`http://${host}/a`);
  await requests.drain();
  expect(answers.map(({ answer }) => answer)).toMatchObject(
    ["hooks.example.org", "hooks.example.org", "third.example"].map((host) => ({
      status: null,
      error: `host-not-allowed: ${host} is not this machine, and --allow-host does not name it`,
    })),
  );
  expect(refused).toEqual(["hooks.example.org", "third.example"]);
});

it("in lockstep answers take effect after the lookahead, in the order of the requests", async () => {
  const server = await serveHttp((request, response) => {
    // The first request is answered last.
    if (request.url === "/1") setTimeout(() => response.end(), 100);
    else response.end();
  });
  const { requests, kernel, answers, post } = setup({ answersAfterMs: 5000 });
  for (const path of ["1", "2", "3"]) post(`${server.url}${path}`);
  expect(requests.horizonMs).toBe(5000);
  while (requests.inFlight > 0) {
    expect(requests.horizonMs).toBe(5000);
    await requests.progress();
  }
  expect(requests.horizonMs).toBe(Infinity);
  expect(answers).toEqual([]);
  expect(requests.isBusy).toBe(true);
  while (kernel.step());
  expect(requests.isBusy).toBe(false);
  expect(answers.map(({ atMs, name }) => [atMs, name])).toEqual([
    [5000, "request/1"],
    [5000, "request/2"],
    [5000, "request/3"],
  ]);
});

it("with a recording requests wait for dispatch and for the flush", async () => {
  const paths: unknown[] = [];
  const server = await serveHttp((request, response) => {
    paths.push(request.url);
    response.end();
  });
  const { requests, post, flush, answers } = setup({ isRecorded: true });
  post(`${server.url}1`);
  flush();
  requests.dispatchRequests();
  post(`${server.url}2`);
  expect(requests.inFlight).toBe(2);
  flush();
  await requests.progress();
  expect(paths).toEqual(["/1"]);
  requests.dispatchRequests();
  flush();
  await requests.progress();
  expect(paths).toEqual(["/1", "/2"]);
  expect(answers).toHaveLength(2);
});

it("a recorded answer takes the place of the request", async () => {
  const { requests, kernel, post, answers } = setup({ isRecorded: true, answersAfterMs: 5000 });
  post("http://127.0.0.1:1/");
  const answer: ServiceAnswer = {
    sentWallMs: 1,
    durationMs: 3,
    status: 200,
    error: null,
    headers: "A: b",
    body: Buffer.from("c"),
    redirects: [],
  };
  expect(requests.applyRecordedAnswer("request/2", answer)).toBe(false);
  expect(requests.horizonMs).toBe(5000);
  expect(requests.applyRecordedAnswer("request/1", answer)).toBe(true);
  expect(requests.applyRecordedAnswer("request/1", answer)).toBe(false);
  expect(requests.horizonMs).toBe(Infinity);
  expect(answers).toEqual([]);
  while (kernel.step());
  expect(answers).toEqual([{ atMs: 5000, name: "request/1", answer }]);
});

it("requests in flight when it is closed have no effect", async () => {
  let count = 0;
  const server = await serveHttp(() => void count++);
  const { requests, post, answers } = setup();
  post(server.url);
  await until(() => count === 1, "the server has the request");
  requests.close();
  await requests.progress();
  expect(requests.inFlight).toBe(0);
  expect(answers).toEqual([]);
});

it("requests that wait for the recording when it is closed have no effect", async () => {
  const { requests, post, answers } = setup({ isRecorded: true });
  post("http://127.0.0.1:1/");
  requests.dispatchRequests();
  post("http://127.0.0.1:1/");
  requests.close();
  await requests.drain();
  expect(requests.inFlight).toBe(0);
  expect(answers).toEqual([]);
});

it("requests that are made after sending has stopped have no effect", async () => {
  let count = 0;
  const server = await serveHttp((_request, response) => {
    count++;
    response.end();
  });
  const { requests, post, answers } = setup({ answersAfterMs: 5000 });
  requests.stopSending();
  post(server.url);
  await requests.drain();
  expect([count, requests.inFlight, requests.isBusy, answers]).toEqual([0, 0, false, []]);
});

it("drain reports all answers, and those of the requests that follow from them", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(200).end());
  const { requests, answers, post, kernel } = setup({ answersAfterMs: 5000 });
  requests.postRequest(
    { name: "first", atMs: 0, method: "POST", url: server.url, headers: {}, body: "", timeoutMs: 2000 },
    () => post(server.url),
  );
  await requests.drain();
  expect(answers).toMatchObject([{ atMs: 0, answer: { status: 200 } }]);
  expect(kernel.size).toBe(0);
});
