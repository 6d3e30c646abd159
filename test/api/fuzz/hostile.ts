import * as fc from "fast-check";

/** JSON text that is inserted unchanged, for values that JavaScript cannot express. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Percent-encoded text that is inserted into a query unchanged. */
export class RawQuery {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff tail",
  "\u202e reversed",
  "Ünïcödé ÅÄÖ ß İ ı",
  "𝕬𝖒𝖎𝖓𝖆 👩🏾‍⚕️",
  "' OR '1'='1",
  "'; DROP TABLE contacts; --",
  '" OR ""="',
  "%' ESCAPE '%",
  "1; ATTACH DATABASE '/tmp/x' AS y",
  "*",
  "%",
  "_",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/etc/passwd",
  "file:///etc/passwd",
  "{{7*7}}${7*7}<%= 7*7 %>",
  "@contact.name @(1/0)",
  "<script>alert(1)</script>",
  "\r\nX-Injected: yes",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "9007199254740993",
  "99999999999999999999999999",
  "0x10",
  "-1",
  "tel:",
  "tel:+",
  "tel:0788123123",
  "tel:+250788123123#",
  "tel:+999999999999999999999",
  "mailto:nobody",
  "twitter:@WayTooLongForATwitterHandle",
  "unknown:x",
  ":",
  `tel:+2547${"1".repeat(300)}`,
  "2018-13-45T99:99:99.999",
  "0000-00-00T00:00:00.000",
  "275760-09-13T00:00:00.001Z",
  "2018-03-05T07:41:09.120 00:00",
  "http://169.254.169.254/latest/meta-data",
  "http://[::1",
  "javascript:alert(1)",
  "gopher://127.0.0.1:25/x",
  `https://example.org/${"a".repeat(5000)}`,
  "A".repeat(65),
  "A".repeat(641),
  "A".repeat(4097),
  "A".repeat(100_000),
  "👍".repeat(400),
];

/** Texts that often break parsers. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
);

const JSONS = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"uuid":{"uuid":{"uuid":1}}}',
  '["__proto__"]',
  "[".repeat(200) + "]".repeat(200),
  '{"a":'.repeat(200) + "1" + "}".repeat(200),
  '{"toString":1,"valueOf":2,"length":-1}',
  '{"then":1,"toJSON":2}',
  "1e400",
  "-1e400",
  "1e-400",
  "123456789012345678901234567890",
  "-0.0",
  "1.0",
  "[[[]]]",
  "[null]",
  "[{}]",
  "[true,false]",
  `[${'"x",'.repeat(100)}"x"]`,
  `[${"1,".repeat(2000)}1]`,
  `{${Array.from({ length: 101 }, (_, index) => `"k${index}":1`).join(",")}}`,
  String.raw`"\ud800"`,
  String.raw`"\u0000"`,
  String.raw`{"\ud800":"\udc00"}`,
  '{"a":1,"a":2}',
  '{"":""}',
];

/** An arbitrary JSON value. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom(...JSONS).map((text) => new RawJson(text)) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Query parameters with invalid encoding or names. */
export const hostileQuery: fc.Arbitrary<RawQuery> = fc
  .constantFrom(
    "%00",
    "%ff%fe",
    "%",
    "%zz",
    "%ed%a0%80",
    "%c3%28",
    "=",
    "&&&&",
    "a=1&a=2&a=3",
    "__proto__=1",
    "__proto__[polluted]=true",
    "constructor[prototype][polluted]=true",
    "uuid[]=1&uuid[]=2",
    "uuid[$ne]=1",
    "uuid[0][0][0]=1",
    "id[]=",
    "group[uuid]=x",
    "after[]=2018-01-01",
    "flow=a&flow=b&flow=%00",
    "toString=1&hasOwnProperty=2&valueOf=3",
    "page_size=1000000&limit=-1&offset=-1&page=0",
    "format=xml",
    "format=api&callback=alert",
    "\u00e9=\u00ff",
    `x=${"y".repeat(6000)}`,
    Array.from({ length: 1500 }, (_, index) => `p${index}`).join("&"),
  )
  .map((text) => new RawQuery(text));

/** Invalid cursors. */
export const hostileCursor: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "!!",
    "AAAA",
    "cD0=",
    "cj0x",
    Buffer.from("p=not a date").toString("base64"),
    Buffer.from("o=-1&p=2018-03-05").toString("base64"),
    Buffer.from("o=99999999999999999999").toString("base64"),
    Buffer.from('{"__proto__":1}').toString("base64url"),
    Buffer.from("[1,2]").toString("base64url"),
    Buffer.from("\u0000\u0001\ufffd").toString("base64url"),
    "A".repeat(5000),
  ),
  fc.base64String({ maxLength: 40 }),
);

/** Bodies that are invalid for their content type. */
export const hostileBytes: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 60,
    arbitrary: fc
      .constantFrom(
        "{",
        "[]",
        "null",
        "true",
        "7",
        '"text"',
        '{"name":}',
        '{"name":"x",}',
        "{'name':'x'}",
        '{"name":NaN}',
        '{"name":"x"} trailing',
        '{"name":"a\nb"}',
        '{"name":"\\x"}',
        "\ufeff{}",
        "%7B%7D",
        '[{"name":"x"}]',
        '{"__proto__":{"polluted":true},"name":"x"}',
        '{"constructor":{"prototype":{"polluted":true}}}',
        "[".repeat(100_000),
        '{"a":'.repeat(50_000),
        "[".repeat(20_000) + "]".repeat(20_000),
        "\u0000",
        " ",
        "name=x&name=y&fields[a]=b&fields[__proto__][polluted]=true",
      )
      .map((text) => Buffer.from(text)),
  },
  {
    weight: 20,
    arbitrary: fc
      .constantFrom("ff", "c328", "eda080", "f8a1a1a1a1", "c0af", "00ff")
      .map((hex) => Buffer.concat([Buffer.from('{"name":"'), Buffer.from(hex, "hex"), Buffer.from('"}')])),
  },
  { weight: 15, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("x", " ", "[", "\u0000")
      .map((letter) => Buffer.concat([Buffer.from('{"name":"'), Buffer.alloc(10_000_000, letter), Buffer.from('"}')])),
  },
);

/** Variations of a real path, which replaces `{path}`. */
export const TRICKY_PATHS: readonly string[] = [
  "{path}/",
  "{path}//",
  "/{path}",
  "{path}/00000000-0000-4000-8000-000000000000",
  "{path}%00",
  "{path}%2f..%2f..%2f..%2fetc%2fpasswd",
  "{path}/../../../../etc/passwd",
  "/api/v2/..%2f..%2fpackage.json",
  "/api/v2/%2e%2e/%2e%2e/etc/passwd",
  "/api/v2/explorer/..%2f..%2f..%2f..%2fetc%2fpasswd",
  "/api/v2/explorer/../../../../../../etc/passwd",
  "/api/v2/explorer/static/..%5c..%5cpackage.json",
  "/api/v2/%ff.json",
  "/api/v2/%.json",
  "/api/v2/__proto__.json",
  "/api/v2/constructor",
  "/api/v2/.json.json",
  "/api/v2/CONTACTS.JSON",
  "/api/v2/contacts.xml",
  "/api/v1/contacts.json",
  "/api/v2/contacts.json;a=b",
  "//evil.example/api/v2/contacts.json",
  "/api/v2/" + "a".repeat(3000),
  "/" + "../".repeat(50),
  "/\u00ff\u00fe",
];
