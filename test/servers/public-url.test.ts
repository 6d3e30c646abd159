import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forwardedHeaders, ownTarget, prefixOf, publicUrlOf, readPublicUrl } from "../../src/servers/index.js";

const request = (
  headers: Readonly<Record<string, string | undefined>>,
  socket: { remoteAddress?: string; localAddress?: string; localPort?: number } = { remoteAddress: "127.0.0.1" },
) => ({ headers, socket }) as Parameters<typeof publicUrlOf>[0];

describe("a public URL", () => {
  it.each([
    ["https://lab.example", "https://lab.example", ""],
    ["https://LAB.example:443/", "https://lab.example", ""],
    ["http://lab.example:8081/handset/", "http://lab.example:8081/handset", "/handset"],
    ["https://lab.example/a/b-c_1.2~x", "https://lab.example/a/b-c_1.2~x", "/a/b-c_1.2~x"],
    ["http://[::1]:8081/apis", "http://[::1]:8081/apis", "/apis"],
  ])("%s is %s", (text, url, prefix) => {
    expect(readPublicUrl(text)).toEqual({ url });
    expect(prefixOf(url)).toBe(prefix);
  });

  it.each([
    ["lab.example", /http or https URL/],
    ["", /http or https URL/],
    ["ftp://lab.example", /http or https URL/],
    ["javascript:alert(1)", /http or https URL/],
    ["https://ada@lab.example", /no name, password, query or #/],
    ["https://lab.example?x=1", /no name, password, query or #/],
    ["https://lab.example/#x", /no name, password, query or #/],
    ["https://lab.example/a//b", /single slashes/],
    ["https://lab.example/a%20b", /single slashes/],
    ["https://lab.example/a;b", /single slashes/],
    ["https://lab.example/api", /\/api, \/console or \/lab/],
    ["https://lab.example/lab/x", /\/api, \/console or \/lab/],
  ])("%j is refused with its reason", (text, fault) => {
    expect(readPublicUrl(text)).toEqual({ fault: expect.stringMatching(fault) as string });
  });
});

describe("the address of a request", () => {
  const proxied = { host: "127.0.0.1:8081", "x-forwarded-host": "lab.example" };

  it.each<[Record<string, string>, string]>([
    [{ host: "lab.example:8081" }, "http://lab.example:8081"],
    [{ host: "<script>" }, "http://127.0.0.1:80"],
    [{}, "http://127.0.0.1:80"],
    [proxied, "http://lab.example"],
    [{ ...proxied, "x-forwarded-proto": "https" }, "https://lab.example"],
    [{ ...proxied, "x-forwarded-proto": "HTTPS , http" }, "https://lab.example"],
    [{ ...proxied, "x-forwarded-proto": "https", "x-forwarded-port": "443" }, "https://lab.example"],
    [{ ...proxied, "x-forwarded-proto": "https", "x-forwarded-port": "8443" }, "https://lab.example:8443"],
    [{ ...proxied, "x-forwarded-host": "lab.example:8443, inner:1" }, "http://lab.example:8443"],
    [{ ...proxied, "x-forwarded-prefix": "/handset/" }, "http://lab.example/handset"],
    [{ host: "lab.example", "x-forwarded-proto": "https", "x-forwarded-prefix": "/a/b" }, "https://lab.example/a/b"],
    // Malformed values count as absent.
    [{ ...proxied, "x-forwarded-proto": "javascript" }, "http://lab.example"],
    [{ ...proxied, "x-forwarded-host": "lab.example/evil" }, "http://127.0.0.1:8081"],
    [{ ...proxied, "x-forwarded-host": "ada@lab.example" }, "http://127.0.0.1:8081"],
    [{ ...proxied, "x-forwarded-host": "a\r\nset-cookie: x" }, "http://127.0.0.1:8081"],
    [{ ...proxied, "x-forwarded-host": "a b" }, "http://127.0.0.1:8081"],
    [{ ...proxied, "x-forwarded-host": "x".repeat(300) }, "http://127.0.0.1:8081"],
    [{ ...proxied, "x-forwarded-port": "99999" }, "http://lab.example"],
    [{ ...proxied, "x-forwarded-port": "0x50" }, "http://lab.example"],
    [{ ...proxied, "x-forwarded-prefix": "//evil.example" }, "http://lab.example"],
    [{ ...proxied, "x-forwarded-prefix": "/a/../.." }, "http://lab.example"],
    [{ ...proxied, "x-forwarded-prefix": '/"><script>' }, "http://lab.example"],
  ])("%j from this machine is %s", (headers, expected) => {
    expect(publicUrlOf(request(headers))).toBe(expected);
  });

  it.each(["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])("a proxy at %s is believed", (remoteAddress) => {
    expect(publicUrlOf(request(proxied, { remoteAddress }))).toBe("http://lab.example");
  });

  it.each(["192.168.1.7", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "127.evil", undefined])(
    "a client at %s is not",
    (remoteAddress) => {
      expect(publicUrlOf(request(proxied, { ...(remoteAddress !== undefined && { remoteAddress }) }))).toBe(
        "http://127.0.0.1:8081",
      );
    },
  );

  it("is the fixed one where the user has named it", () => {
    expect(publicUrlOf(request({ ...proxied, "x-forwarded-proto": "https" }), "https://a.example/b")).toBe(
      "https://a.example/b",
    );
  });

  it("is a URL of its own host whatever the headers are", () => {
    const header = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.domain(), fc.constantFrom("/..", "@", "//"));
    const names = ["host", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-prefix"];
    const headers = fc.record(Object.fromEntries(names.map((name) => [name, header])), { requiredKeys: [] });
    fc.assert(
      fc.property(headers, (given) => {
        const url = publicUrlOf(request(given));
        expect(url).toMatch(/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*$/);
        expect(URL.canParse(url)).toBe(true);
      }),
    );
  });

  it.each(["http://127.0.0.1:8081", "https://lab.example", "https://lab.example:8443/a/b"])(
    "%s survives the way through headers",
    (url) => {
      expect(publicUrlOf(request({ host: "x", ...forwardedHeaders(url) }))).toBe(url);
    },
  );
});

describe("the target of a request", () => {
  it.each([
    ["/api/v2/x?a=//b", "", "/api/v2/x?a=//b"],
    ["//api/v2/x", "", "/api/v2/x"],
    ["http://lab.example/api/v2/x", "", "/api/v2/x"],
    ["HTTPS://lab.example?x", "", "/?x"],
    ["http://lab.example", "", "/"],
    ["*", "", "*"],
    ["/handset/api/v2/x", "/handset", "/api/v2/x"],
    ["//handset//api/v2/x", "/handset", "/api/v2/x"],
    ["http://lab.example/handset/api/v2/x", "/handset", "/api/v2/x"],
    ["/handset", "/handset", "/"],
    ["/handset?x", "/handset", "/?x"],
    ["/handsets/x", "/handset", "/handsets/x"],
    ["/api/v2/x", "/handset", "/api/v2/x"],
  ])("%s below %j is %s", (target, prefix, expected) => {
    expect(ownTarget(target, prefix)).toBe(expected);
  });
});
