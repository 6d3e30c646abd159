import { describe, expect, it } from "vitest";
import { scenario } from "../../src/index.js";
import { sound } from "./help.js";

const head = `lasts: 1h
lookahead: 3s
handsets: { clinic: { phone: "+250788000001" } }
`;

describe("mocks", () => {
  it("answer all methods with 200 after the lookahead by default", () => {
    expect(sound(`${head}mocks: [{ url: /orders/1 }]`).mocks).toEqual([
      { url: { kind: "contains", text: "/orders/1" }, status: 200, headers: {}, body: "", afterMs: 3000 },
    ]);
    expect(sound(head).mocks).toBeUndefined();
  });

  it("send a map or list as JSON, with numbers and flags, and a text as it is", () => {
    const [map, list, text] =
      sound(`${head}mocks:
  - { url: /a$/, body: { price: 12, sold: true, sku: "12", note: null, sizes: [1, two] } }
  - { url: b, body: [1, x], headers: { content-type: text/json } }
  - { url: c, body: 007, method: PUT, status: 503, after: 2m, times: 2 }`).mocks ?? [];
    expect(map?.body).toBe('{"price":12,"sold":true,"sku":"12","note":null,"sizes":[1,"two"]}');
    expect(map?.headers).toEqual({ "Content-Type": "application/json" });
    expect(list).toMatchObject({ body: '[1,"x"]', headers: { "content-type": "text/json" } });
    expect(text).toEqual({
      url: { kind: "contains", text: "c" },
      method: "PUT",
      status: 503,
      headers: {},
      body: "007",
      afterMs: 120_000,
      times: 2,
    });
  });

  it("can be built in TypeScript", () => {
    const { mocks } = scenario({
      lasts: "1h",
      handsets: { clinic: { phone: "+250788000001" } },
      mocks: [{ url: /orders\/\d+$/, body: { status: "sent" } }],
    });
    expect(mocks?.[0]).toMatchObject({
      url: { kind: "regexp", source: String.raw`orders\/\d+$` },
      body: '{"status":"sent"}',
    });
  });
});
