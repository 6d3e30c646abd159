import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addCountry } from "../account/add-country.js";
import { type Answered, Rig } from "./rig.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const admin = { authorization: "Token administrator" };

/** Every error has one of three shapes (docs/reference/service-api.md#error-bodies). */
function expectErrorShape({ status, body, headers }: Answered): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers["content-type"]).toMatch(/^application\/json/);
  const entries = Object.entries(body as Record<string, unknown>);
  expect(entries.length).toBeGreaterThan(0);
  for (const [name, value] of entries) {
    if (name === "detail") expect([typeof value, entries.length]).toEqual(["string", 1]);
    else expect(value).toEqual(expect.arrayContaining([expect.any(String)]));
  }
}

describe("paths", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.open();
  });
  afterEach(() => rig.removeLabels());
  afterAll(() => rig.close());

  const at = async (url: string, headers: Record<string, string> = admin): Promise<Answered> => {
    const answer = await rig.server.inject({ method: "GET", url, headers });
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return {
      status: answer.statusCode,
      body: isJson ? (answer.json() as unknown) : answer.payload,
      headers: answer.headers,
    };
  };

  it("end in .json, with or without a trailing slash", async () => {
    await rig.post("labels.json/", { name: "Urgent" });
    const { body } = await rig.get("labels.json");
    expect(body.results).toHaveLength(1);
    expect((await rig.get("labels.json/?name=urgent")).body).toEqual(body);
    expect((await rig.delete(`labels.json/?uuid=${body.results[0].uuid}`)).status).toBe(204);
  });

  it("may begin with several slashes, as when a client's host ends in one", async () => {
    await rig.post("labels.json", { name: "Urgent" });
    const { status, body } = await at("//api/v2/labels.json?name=urgent");
    expect([status, body]).toEqual([200, (await rig.get("labels.json")).body]);
  });

  it.each([
    "/api/v2/labels.xml",
    "/api/v2/nothing.json",
    "/api/v2/nothing",
    "/api/v2/labels.json/5079cb96-a1d8-4f47-8c87-d8c7bb6ddab9",
    "/api/v2/labels.json//",
    "/api/v2//labels.json",
    "/api/v1/labels.json",
    "/api/v2/../../etc/passwd",
    "/api/v2/explorer/static/../../../../../package.json",
    "/api/v2/explorer/static/%2e%2e%2f%2e%2e%2fpackage.json",
    "/api/v2/explorer/static/nothing.js",
    "/nothing",
    "/api/v2/__proto__.json",
    "/api/v2/constructor",
  ])("%s does not exist", async (url) => {
    expect(await at(url)).toMatchObject({ status: 404, body: { detail: "Not found." } });
    expect(await at(url, {})).toMatchObject({ status: 404, body: { detail: "Not found." } });
  });

  it("are listed by name", async () => {
    for (const url of ["/api/v2/.json", "/api/v2/.json/", "/api/v2/", "/api/v2"]) {
      const { status, body } = await at(url, { ...admin, host: "lab.test:8080" });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        labels: "http://lab.test:8080/api/v2/labels",
        resthook_subscribers: "http://lab.test:8080/api/v2/resthook_subscribers",
      });
      expect((await at(url, {})).status).toBe(403);
    }
  });

  it.each([
    ["/", "*/*", "/api/v2/explorer/"],
    ["/api/v2/", "text/html,application/xhtml+xml,*/*;q=0.8", "/api/v2/explorer/"],
    ["/api/v2/labels", "*/*", "/api/v2/explorer/#/labels"],
    ["/api/v2/labels/", "text/html", "/api/v2/explorer/#/labels"],
  ])("%s redirects browsers to the explorer", async (url, accept, location) => {
    expect(await at(url, { accept })).toMatchObject({ status: 302, headers: { location } });
  });

  it.each([
    ["%", 400],
    ["%ff", 400],
    ["%E0%A4%A", 400],
    ["%00", 404],
    ["a".repeat(5000), 404],
    ["labels.json%00", 404],
    ["labels.json%2f..%2flabels.json", 404],
    ["%2e%2e/%2e%2e/etc/passwd", 404],
  ])("with the ending %s get a proper answer", async (ending, status) => {
    const answered = await at(`/api/v2/${ending}`);
    expectErrorShape(answered);
    expect(answered.status).toBe(status);
  });

  it("accept malformed queries", async () => {
    await rig.post("labels.json", { name: "Urgent" });
    for (const query of ["%", "name=%ff", "name=%E0%A4%A", "name=%ud800", "name=%00", "&&&=&=x", "name=%25"]) {
      expect((await rig.get(`labels.json?${query}`)).status).toBe(200);
    }
    expect((await rig.get(`labels.json?${"x=y&".repeat(2000)}name=urgent`)).body.results).toHaveLength(1);
  });
});

describe("authentication", () => {
  it.each([
    [undefined, "Authentication credentials were not provided."],
    ["", "Authentication credentials were not provided."],
    ["Bearer administrator", "Authentication credentials were not provided."],
    ["Basic YWRtaW46YWRtaW4=", "Authentication credentials were not provided."],
    ["administrator", "Authentication credentials were not provided."],
    ["Token", "Invalid token header. No credentials provided."],
    ["Token ", "Invalid token header. No credentials provided."],
    ["Token a b", "Invalid token header. Token string should not contain spaces."],
    ["Token Administrator", "Invalid token"],
    ["Token administrato", "Invalid token"],
    ["Token administratorr", "Invalid token"],
    ["Token viewer", "You do not have permission to perform this action."],
    ["Token surveyor", "You do not have permission to perform this action."],
  ])("refuses '%s'", async (authorization, detail) => {
    const rig = await Rig.start();
    for (const method of methods) {
      const answer = await rig.server.inject({
        method,
        url: "/api/v2/labels.json",
        headers: { ...(authorization !== undefined && { authorization }), "content-type": "application/json" },
        ...(method !== "GET" && method !== "HEAD" && { payload: '{"name": "Urgent"}' }),
      });
      expect(answer.statusCode).toBe(403);
      if (method !== "HEAD") expect(answer.json()).toEqual({ detail });
      expect(answer.headers["www-authenticate"]).toBeUndefined();
    }
    expect((await rig.get("labels.json")).body.results).toEqual([]);
  });

  it("accepts a valid token, with the scheme in any spelling", async () => {
    const rig = await Rig.start();
    for (const authorization of ["Token administrator", "token  editor", "TOKEN\tadministrator"]) {
      const { status, headers } = await rig.get("labels.json", { authorization });
      expect(status).toBe(200);
      expect(headers["x-temba-org"]).toMatch(/^\d+$/);
    }
    expect((await rig.get("labels.json", { authorization: "Token nobody" })).headers["x-temba-org"]).toBeUndefined();
  });

  it("gives surveyors a few resources and viewers none", async () => {
    const rig = await Rig.start();
    const index = await rig.get(".json");
    const open: string[] = [];
    for (const name of Object.keys(index.body as object)) {
      const surveyor = await rig.get(`${name}.json`, { authorization: "Token surveyor" });
      if (surveyor.status !== 403) open.push(name);
      expect((await rig.get(`${name}.json`, { authorization: "Token viewer" })).status).toBe(403);
    }
    const allowed =
      "boundaries contacts contact_actions definitions fields flows messages message_actions org runs workspace".split(
        " ",
      );
    expect(open.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(open).toEqual(expect.arrayContaining(["boundaries", "org", "workspace"]));
  });

  it("gives pages of other origins no access: only the header counts, and no answer has CORS headers", async () => {
    const rig = await Rig.start();
    const foreign = { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" };
    const url = "/api/v2/labels.json";
    for (const headers of [foreign, { ...foreign, cookie: "token=administrator; sessionid=administrator" }]) {
      const posted = await rig.server.inject({ method: "POST", url, headers, payload: "name=Urgent" });
      expect(posted.statusCode).toBe(403);
    }
    for (const token of ["token=administrator", "api_key=administrator", "Authorization=Token+administrator"]) {
      expect(
        (await rig.server.inject({ method: "POST", url: `${url}?${token}`, payload: { name: "x" } })).statusCode,
      ).toBe(403);
    }
    const preflight = await rig.server.inject({
      method: "OPTIONS",
      url,
      headers: {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.statusCode).toBe(403);
    const read = await rig.get("labels.json", { origin: "https://evil.example" });
    for (const { headers } of [preflight, read]) {
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(read.body.results).toEqual([]);
  });
});

describe("the order of checks", () => {
  const json = { "content-type": "application/json" };

  it("is Accept, token, role, rate, method, identifier, existence, body, fields", async () => {
    const rig = await Rig.start({ throttle: 4 });
    const uuid = "5079cb96-a1d8-4f47-8c87-d8c7bb6ddab9";
    const url = `labels.json?uuid=${uuid}`;
    const broken = "{";
    const ask = (method: "PUT" | "POST", path: string, headers: Record<string, string>): Promise<Answered> =>
      rig.ask(method, path, broken, headers);
    const html = { accept: "text/html", authorization: "Token nobody" };
    expect((await ask("PUT", url, html)).status).toBe(406);
    expect((await ask("PUT", url, { authorization: "Token nobody" })).body.detail).toBe("Invalid token");
    expect((await ask("PUT", url, { authorization: "Token surveyor" })).body.detail).toMatch(/permission/);
    for (let count = 0; count < 4; count++) expect((await ask("PUT", url, {})).status).toBe(405);
    expect((await ask("PUT", url, {})).status).toBe(429);
    rig.throttle.limit = undefined;
    const two = "resthook_subscribers.json?id=1&id=2";
    expect((await ask("POST", url, { "content-type": "no type at all" })).status).toBe(404);
    expect((await ask("POST", url, { "content-type": "image/png" })).status).toBe(404);
    expect((await ask("POST", url, json)).body).toEqual({ detail: "Not found." });
    expect((await rig.delete(two)).status).toBe(404);
    expect((await ask("POST", "labels.json", json)).body.detail).toMatch(/^JSON parse error - /);
  });

  it("checks the token before the body, however large", async () => {
    const rig = await Rig.start();
    const large = Buffer.alloc(3_000_000, " ");
    expect((await rig.post("labels.json", large, { authorization: "Token nobody" })).status).toBe(403);
    expect(await rig.post("labels.json", large)).toMatchObject({
      status: 413,
      body: { detail: "The body is too large." },
    });
  });
});

describe("methods", () => {
  const allowed = {
    ".json": "GET, HEAD, OPTIONS",
    "labels.json": "GET, HEAD, POST, DELETE, OPTIONS",
    "boundaries.json": "GET, HEAD, OPTIONS",
    "org.json": "GET, HEAD, OPTIONS",
    "resthooks.json": "GET, HEAD, OPTIONS",
    "resthook_events.json": "GET, HEAD, OPTIONS",
    "resthook_subscribers.json": "GET, HEAD, POST, DELETE, OPTIONS",
  };

  it("that a resource lacks are refused, and the answer lists its methods", async () => {
    const rig = await Rig.start();
    for (const [path, allow] of Object.entries(allowed)) {
      for (const method of methods) {
        for (const slash of ["", "/"]) {
          const answered = await rig.ask(method, path + slash, undefined);
          expect(answered.headers["allow"]).toBe(allow);
          expect(answered.headers["vary"]).toBe("Accept");
          if (method !== "OPTIONS" && allow.includes(method)) expect(answered.status).not.toBe(405);
          else expect(answered).toMatchObject({ status: 405, body: { detail: `Method "${method}" not allowed.` } });
        }
      }
    }
  });

  it("that HTTP lacks are refused in the same way", async () => {
    const rig = await Rig.start();
    for (const method of ["PROPFIND", "TRACE", "LINK", "QUERY"]) {
      const ask = async (
        headers: Record<string, string>,
      ): Promise<{ status: number; body: string; allow: unknown }> => {
        const answer = await rig.server.inject({ method: method as "GET", url: "/api/v2/labels.json", headers });
        return { status: answer.statusCode, body: answer.payload, allow: answer.headers["allow"] };
      };
      expect(await ask(admin)).toEqual({
        status: 405,
        body: `{"detail":"Method \\"${method}\\" not allowed."}`,
        allow: allowed["labels.json"],
      });
      expect((await ask({})).status).toBe(403);
    }
  });
});

describe("the Accept header", () => {
  it.each([
    ["application/json", 200],
    ["application/json; charset=utf-8; q=0.5", 200],
    ["text/html, */*;q=0.1", 200],
    ["APPLICATION/*", 200],
    ["", 200],
    ["text/html", 406],
    ["application/xml, text/csv", 406],
    ["application/json;q=0", 406],
    ["*/*;q=0.000, text/html", 406],
    [",;,=", 406],
  ])("'%s' is answered %i", async (accept, status) => {
    const rig = await Rig.start();
    const answered = await rig.get("labels.json", { accept });
    expect(answered.status).toBe(status);
    expect(answered.headers["content-type"]).toMatch(/^application\/json/);
    if (status === 406) expect(answered.body).toEqual({ detail: "Could not satisfy the request Accept header." });
  });

  it("is answered in compact JSON", async () => {
    const rig = await Rig.start();
    await rig.post("labels.json", { name: "Économie 🐟" });
    const { payload } = await rig.server.inject({ method: "GET", url: "/api/v2/labels.json", headers: admin });
    expect(payload).toMatch(
      /^\{"next":null,"previous":null,"results":\[\{"uuid":"[\da-f-]{36}","name":"Économie 🐟","count":0\}\]\}$/u,
    );
  });
});

describe("bodies", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.open();
  });
  afterEach(() => rig.removeLabels());
  afterAll(() => rig.close());

  const named = async (body: string | Buffer, type: string | undefined): Promise<Answered> => {
    const answer = await rig.server.inject({
      method: "POST",
      url: "/api/v2/labels.json",
      headers: { ...admin, ...(type !== undefined && { "content-type": type }) },
      payload: body,
    });
    return { status: answer.statusCode, body: answer.json() as unknown, headers: answer.headers };
  };

  const boundary = "--x\r\ncontent-disposition: form-data; name=";
  it.each([
    ["application/json", '{"name":"Fish"}'],
    ["APPLICATION/JSON; charset=utf-8", ' {"name" : "Fish", "count": 7, "__proto__": {"name": "Other"}}\n'],
    ["application/json;charset", '{"name":"Other","name":"Fish"}'],
    ["application/x-www-form-urlencoded", "name=Other&name=Fish&unknown=1"],
    ["application/x-www-form-urlencoded;charset=utf-8", "%6e%61me=F%69sh"],
    ["multipart/form-data; boundary=x", `${boundary}"name"\r\n\r\nFish\r\n--x--\r\n`],
    [
      "multipart/form-data; boundary=x",
      `${boundary}"f"; filename="a"\r\n\r\nx\r\n${boundary}"name"\r\n\r\nFish\r\n--x--\r\n`,
    ],
  ])("of type %s are read: %j", async (type, body) => {
    expect(await named(body, type)).toMatchObject({ status: 201, body: { name: "Fish" } });
  });

  it("of a browser's form are read with all values and without files", async () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .map((text) => `F${text.replaceAll(/[\0\r\n]/g, "-")}`);
    await fc.assert(
      fc.asyncProperty(name, fc.uint8Array({ maxLength: 40 }), async (text, bytes) => {
        const form = new FormData();
        form.append("name", "Other");
        form.append("file", new Blob([Buffer.from(bytes)]), 'a"b.bin');
        form.append("name", text);
        const encoded = new Response(form);
        const type = encoded.headers.get("content-type") ?? "";
        const posted = await named(Buffer.from(await encoded.arrayBuffer()), type);
        expect(posted).toMatchObject({ status: 201, body: { name: text.trim() } });
        await rig.delete(`labels.json?uuid=${posted.body.uuid}`);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["text/plain", "name=Fish", 'Unsupported media type "text/plain" in request.'],
    ["application/xml; x=y", "<name/>", 'Unsupported media type "application/xml; x=y" in request.'],
    ["json", '{"name":"Fish"}', 'Unsupported media type "json" in request.'],
    [undefined, '{"name":"Fish"}', 'Unsupported media type "" in request.'],
  ])("of type %s are refused", async (type, body, detail) => {
    expect(await named(body, type)).toMatchObject({ status: 415, body: { detail } });
  });

  it.each([
    ["application/json", "{", /^JSON parse error - /],
    ["application/json", "{'name': 'Fish'}", /^JSON parse error - /],
    ["application/json", '{"name":"Fish"}x', /^JSON parse error - /],
    ["application/json", '\uFEFF{"name":"Fish"}', /^JSON parse error - .*byte order mark/],
    ["application/json", '{"name":NaN}', /^JSON parse error - /],
    ["application/json", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`, /^JSON parse error - .*levels/],
    ["application/json", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /^JSON parse error - .*UTF-8/],
    ["application/json", Buffer.from('{"name":"Fish"}', "utf16le"), /^JSON parse error - /],
    ["multipart/form-data", "name=Fish", /^Multipart form parse error/],
    ["multipart/form-data; boundary=x", "--y\r\n", /^Multipart form parse error/],
  ])("of type %s that cannot be read are refused: %j", async (type, body, detail) => {
    const answered = await named(body, type);
    expectErrorShape(answered);
    expect(answered).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) as string } });
  });

  it.each(["[]", '["name"]', '"name"', "1", "null", "true"])("must be one object, not %s", async (body) => {
    expect(await named(body, "application/json")).toMatchObject({
      status: 400,
      body: { non_field_errors: ["The body must be one JSON object"] },
    });
  });

  it("that are empty count as {}", async () => {
    for (const type of ["application/json", "text/plain", undefined]) {
      expect(await named("", type)).toMatchObject({ status: 400, body: { name: ["This field is required."] } });
    }
  });

  it("of a DELETE are ignored", async () => {
    const { uuid } = (await rig.post("labels.json", { name: "Fish" })).body;
    const answer = await rig.server.inject({
      method: "DELETE",
      url: `/api/v2/labels.json?uuid=${uuid}`,
      headers: { ...admin, "content-type": "application/json" },
      payload: "{",
    });
    expect(answer.statusCode).toBe(204);
  });

  it("of any bytes and type get a well-formed answer, and change nothing unless it is 201", async () => {
    const types = fc.constantFrom(
      "application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "multipart/form-data",
      "x/y",
      "",
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
      fc.json().map((json) => Buffer.from(json)),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(`name=${text}`)),
    );
    let labels = 0;
    await fc.assert(
      fc.asyncProperty(types, bytes, async (type, body) => {
        const answered = await named(body, type === "" ? undefined : type);
        if (answered.status === 201) labels++;
        else {
          expect([400, 415]).toContain(answered.status);
          expectErrorShape(answered);
        }
        expect((await rig.get("labels.json")).body.results).toHaveLength(labels);
      }),
      { numRuns: 60 },
    );
  });
});

describe("parameters", () => {
  it("that are repeated have the last value; empty ones count as absent", async () => {
    const rig = await Rig.start();
    await rig.post("labels.json", { name: "Urgent" });
    await rig.post("labels.json", { name: "Later" });
    const names = async (query: string): Promise<string[]> =>
      (await rig.get(`labels.json?${query}`)).body.results.map(({ name }: { name: string }) => name);
    expect(await names("name=Urgent&name=Later")).toEqual(["Later"]);
    expect(await names("name=Urgent&name=")).toEqual(["Later", "Urgent"]);
    expect(await names("page_size=1&limit=1&nothing=x")).toEqual(["Later", "Urgent"]);
  });

  it("that identify a record must be exactly one, and not empty", async () => {
    const rig = await Rig.start();
    expect((await rig.delete("labels.json?uuid=")).status).toBe(404);
    expect(await rig.post("labels.json?uuid=", { name: "x" })).toMatchObject({ status: 404 });
    expect(await rig.delete("labels.json?name=Urgent")).toMatchObject({
      status: 400,
      body: { detail: "One of these is needed in the URL: uuid" },
    });
  });
});

describe("links", () => {
  const next = async (rig: Rig, headers: Record<string, string>): Promise<string> =>
    (await rig.get("boundaries.json?geometry=1&x=%C3%A9+%26&cursor=", headers)).body.next;
  const start = async (): Promise<Rig> => {
    const rig = await Rig.start();
    const parts = Array.from({ length: 300 }, (_, index) => {
      return { osmId: `T${index}`, name: `Town ${index}`, aliases: [], geometry: null, parts: [] };
    });
    addCountry(rig.service.account.boundaries, { osmId: "R1", name: "Ilmar", aliases: [], geometry: null, parts });
    return rig;
  };

  it("to the next page have the requested host and all parameters", async () => {
    const rig = await start();
    const url = new URL(await next(rig, { host: "lab.test:8443" }));
    expect(url.origin).toBe("http://lab.test:8443");
    expect(url.pathname).toBe("/api/v2/boundaries.json");
    expect([...url.searchParams.keys()]).toEqual(["geometry", "x", "cursor"]);
    expect(url.searchParams.get("x")).toBe("é &");
    expect(await next(rig, { host: "[::1]:80" })).toMatch(/^http:\/\/\[::1\]:80\/api/);
  });

  it("do not repeat an invalid host", async () => {
    const rig = await start();
    for (const host of ['evil"><script>', "a b", "evil/path?x=", "user@evil"]) {
      expect(await next(rig, { host })).not.toContain("evil");
    }
  });
});

describe("the rate limit", () => {
  const hourMs = 3_600_000;
  const throttled = (seconds: number): object => ({
    status: 429,
    body: { detail: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.` },
    headers: { "retry-after": String(seconds) },
  });

  it("passes its number of requests, counted over the last hour", async () => {
    const rig = await Rig.start({ throttle: 3 });
    for (const wallMs of [0, 10_000, 20_000]) {
      rig.wallMs = wallMs;
      expect((await rig.get("labels.json")).status).toBe(200);
    }
    rig.wallMs = 20_500;
    const refused = await rig.get("labels.json");
    expect(refused).toMatchObject(throttled(3580));
    expectErrorShape(refused);
    rig.wallMs = hourMs - 1;
    expect(await rig.get("labels.json")).toMatchObject(throttled(1));
    rig.wallMs = hourMs;
    expect((await rig.get("labels.json")).status).toBe(200);
    expect(await rig.get("labels.json")).toMatchObject(throttled(10));
  });

  it("is 2,500 as in the service, and counts neither unauthenticated requests nor other scopes", async () => {
    const rig = await Rig.start({ throttle: 2500 });
    for (let count = 0; count < 2500; count++) rig.throttle.countRequest("others");
    expect((await rig.get("labels.json", { authorization: "Token nobody" })).status).toBe(403);
    expect((await rig.get("labels.json", { accept: "text/html" })).status).toBe(406);
    expect(await rig.get("labels.json")).toMatchObject(throttled(3600));
    expect(() => rig.throttle.countRequest("contacts")).not.toThrow();
  });

  it("can be forced for the next requests, and is off by default", async () => {
    const rig = await Rig.start();
    rig.throttle.forceRefusals({ requests: 2, retryAfterS: 7 });
    expect(await rig.get("labels.json")).toMatchObject(throttled(7));
    expect(await rig.post("labels.json", { name: "Urgent" })).toMatchObject(throttled(7));
    expect((await rig.get("labels.json")).body.results).toEqual([]);
  });
});

describe("on the wire", () => {
  let rig: Rig;
  let port: number;
  beforeAll(async () => {
    rig = await Rig.open();
    await rig.server.listen({ port: 0, host: "127.0.0.1" });
    ({ port } = rig.server.server.address() as AddressInfo);
  });
  afterEach(() => rig.removeLabels());
  afterAll(() => rig.close());

  /** Sends bytes and returns everything received until the server closes. */
  async function raw(...chunks: (string | Buffer)[]): Promise<{ status: number; head: string; body: string }> {
    const socket = connect(port, "127.0.0.1");
    const answer: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => answer.push(chunk));
    socket.on("error", () => undefined);
    for (const chunk of chunks) socket.write(chunk);
    await once(socket, "close");
    const text = Buffer.concat(answer).toString();
    const cut = text.indexOf("\r\n\r\n");
    return { status: Number(text.split(" ")[1]), head: text.slice(0, cut).toLowerCase(), body: text.slice(cut + 4) };
  }

  const token = "Authorization: Token administrator\r\n";
  const end = "Host: lab\r\nConnection: close\r\n\r\n";

  it.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["TLS", Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3, 3]), 400],
    ["a space in the path", `GET /api/v2/labels .json HTTP/1.1\r\n${token}${end}`, 400],
    ["a header with a line feed", `GET / HTTP/1.1\r\nX: a\nb c\r\n${end}`, 400],
    ["a length that is not a number", `POST /api/v2/labels.json HTTP/1.1\r\n${token}Content-Length: x\r\n${end}`, 400],
    [
      "two ways to say the length",
      `POST /api/v2/labels.json HTTP/1.1\r\n${token}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
      400,
    ],
    ["headers without end", `GET / HTTP/1.1\r\nX: ${"a".repeat(70_000)}\r\n${end}`, 431],
    ["an address without end", `GET /${"a".repeat(70_000)} HTTP/1.1\r\n${end}`, 431],
  ])("%s gets a well-formed error", async (_what, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer.status).toBe(status);
    expect(answer.head).toContain("content-type: application/json");
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String) as string });
    expect((await rig.get("labels.json")).status).toBe(200);
  });

  it("accepts the absolute form of the address", async () => {
    const answer = await raw(`GET http://lab.test/api/v2/labels.json?x=1 HTTP/1.1\r\n${token}${end}`);
    expect(answer.status).toBe(200);
  });

  it("answers a body that is too long without reading it", async () => {
    const answer = await raw(
      `POST /api/v2/labels.json HTTP/1.1\r\n${token}Content-Type: application/json\r\nContent-Length: 99999999999\r\n${end}`,
      "x".repeat(1000),
    );
    expect(answer.status).toBe(413);
    expect(answer.head).toContain("connection: close");
  });

  it("answers a chunked body that grows too long", async () => {
    const piece = `fffff\r\n${"x".repeat(0xfffff)}\r\n`;
    const answer = await raw(
      `POST /api/v2/labels.json HTTP/1.1\r\n${token}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${end}`,
      piece,
      piece,
    );
    expect(answer.status).toBe(413);
  });

  it("drops a request whose client disconnects in the middle", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /api/v2/labels.json HTTP/1.1\r\n${token}Content-Type: application/json\r\nContent-Length: 50\r\nHost: lab\r\n\r\n{"name":`,
    );
    await expect.poll(() => rig.inFlight).toBe(1);
    socket.destroy();
    await expect.poll(() => rig.inFlight).toBe(0);
    expect((await rig.get("labels.json")).body.results).toEqual([]);
    await expect.poll(() => rig.inFlight).toBe(0);
  });

  it("answers HEAD like GET without a body", async () => {
    await rig.post("labels.json", { name: "Urgent" });
    const ask = (method: string, path: string): ReturnType<typeof raw> =>
      raw(`${method} /api/v2/${path} HTTP/1.1\r\n${token}${end}`);
    const [get, head] = [await ask("GET", "labels.json"), await ask("HEAD", "labels.json")];
    const length = /content-length: \d+/;
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(length.exec(head.head)).toEqual(length.exec(get.head));
    expect(await ask("HEAD", "labels.json?cursor=x")).toMatchObject({ status: 404, body: "" });
    expect(await ask("HEAD", "org.json")).toMatchObject({ status: 200, body: "" });
    expect(await ask("HEAD", ".json")).toMatchObject({ status: 200, body: "" });
  });

  it("forbids browsers to guess the type of an answer", async () => {
    for (const url of ["/api/v2/labels.json", "/api/v2/nothing", "/api/v2/explorer/", "/api/v2/openapi.json"]) {
      const answer = await rig.server.inject({ method: "GET", url });
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });
});
