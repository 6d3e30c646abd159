import fc from "fast-check";

/** The bytes that a server writes before it ends its side of the connection, and their pieces. */
export interface Script {
  /** As Latin-1. */
  readonly text: string;
  readonly pieces: readonly Buffer[];
}

const oneOf = fc.constantFrom<string[]>;

/** Mostly the first arbitrary, otherwise one of the others. */
function mostly(
  usual: string | fc.Arbitrary<string>,
  ...others: (string | fc.Arbitrary<string>)[]
): fc.Arbitrary<string> {
  const arbitraries = others.map((other) => (typeof other === "string" ? fc.constant(other) : other));
  return fc.oneof(
    { weight: 60, arbitrary: typeof usual === "string" ? fc.constant(usual) : usual },
    ...arbitraries.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

const lineEnd = fc.oneof(
  { weight: 1500, arbitrary: fc.constant("\r\n") },
  { weight: 1, arbitrary: oneOf("\n", "\r", "\r\r\n", "") },
);
const latin1 = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 20,
});
const visible = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 20,
});

const version = mostly("HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1", "ICY", "");
const status = mostly(
  oneOf("200", "201", "302", "400", "404", "500", "503"),
  oneOf("204", "304", "205", "226", "999", "100", "102", "199", "600"),
  oneOf("099", "20", "2000", "2x0", "", "-200"),
);
const reason = mostly(
  oneOf(" OK", " Not Found", " ", ""),
  visible.map((text) => ` ${text}`),
  " \u00e4\u00ff",
  " a\tb",
  "  OK",
  latin1.map((text) => ` ${text}`),
);
const statusLine = fc
  .tuple(version, mostly(" ", "  ", "\t", ""), status, reason, lineEnd)
  .map((parts) => parts.join(""));

const ownName = mostly(
  oneOf("Date", "Server", "X-Request-Id", "set-cookie", "Content-Type", "x"),
  oneOf("a b", "", "x\u00e4", "(x)", "a:b", "x\t"),
  visible,
);
const colon = mostly(oneOf(":", ": "), oneOf(":\t", ":   ", " : ", " :", "", "="));
const value = mostly(visible, oneOf("", "  ", "two  words", "\u00e4\u00ff\u0080", "tab\there ", "end \t "), latin1);
const framingHeader = fc.tuple(
  oneOf("Connection", "connection", "Keep-Alive", "Content-Encoding", "Location", "Upgrade", "Trailer"),
  oneOf("close", "keep-alive", "Keep-Alive, x", "timeout=5, max=9", "identity", "/elsewhere", "h2c", "upgrade"),
);
const header = fc
  .oneof({ weight: 4, arbitrary: fc.tuple(ownName, value) }, { weight: 1, arbitrary: framingHeader })
  .chain(([name, text]) => fc.tuple(fc.constant(name), colon, fc.constant(text), lineEnd))
  .map((parts) => parts.join(""));
const fold = fc.tuple(oneOf(" ", "\t", "  "), visible, lineEnd).map((parts) => parts.join(""));
const headers = fc
  .array(fc.oneof({ weight: 60, arbitrary: header }, { weight: 1, arbitrary: fold }), { maxLength: 5 })
  .map((lines) => lines.join(""));

const body = fc.oneof(latin1, oneOf("", "{}", "ok", "HTTP/1.1 200 OK\r\n\r\n", "\r\n"));

const withLength = body.chain((text) =>
  fc
    .tuple(
      mostly(
        "Content-Length: ",
        "content-length:",
        "Content-Length : ",
        "Content-Length: +",
        "Content-Length: 0",
        "Content-Length: -",
      ),
      mostly(
        String(text.length),
        oneOf("1", "30", "0", "", "0x1", "1 1", "1, 1", "9007199254740993", "99999999999999999999999"),
      ),
      lineEnd,
      mostly("", `Content-Length: ${text.length}\r\n`, "Content-Length: 7\r\n", "Transfer-Encoding: chunked\r\n"),
      headers,
      lineEnd,
    )
    .map((parts) => `${parts.join("")}${text}`),
);

const extension = mostly(
  "",
  ";a",
  ";a=b",
  ';a="b;c"',
  "; a = b",
  " ;a",
  " ",
  "\t",
  ";",
  ";a=",
  latin1.map((text) => `;${text}`),
);
const chunk = latin1.chain((text) =>
  fc
    .tuple(
      mostly(
        text.length.toString(16),
        text.length.toString(16).toUpperCase(),
        `00${text.length.toString(16)}`,
        "",
        "zz",
        "-1",
        "0x2",
        "3",
        "fffffffffffffffff",
      ),
      extension,
      lineEnd,
      fc.constant(text),
      lineEnd,
    )
    .map((parts) => parts.join("")),
);
const chunked = fc
  .tuple(
    mostly(
      "Transfer-Encoding: chunked",
      "transfer-encoding: Chunked",
      "Transfer-Encoding: gzip, chunked",
      "Transfer-Encoding: chunked, gzip",
      "Transfer-Encoding: chunked, chunked",
      "Transfer-Encoding: gzip",
      "Transfer-Encoding: xchunked",
      "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
      "Transfer-Encoding:",
      "Transfer-Encoding: ,chunked",
      "Transfer-Encoding: chunked;q=1",
    ),
    lineEnd,
    headers,
    lineEnd,
    fc.array(chunk, { maxLength: 4 }).map((chunks) => chunks.join("")),
    mostly(
      "0\r\n\r\n",
      "0;x\r\n\r\n",
      "000\r\n\r\n",
      "0\r\nA: b\r\n\r\n",
      "0\r\nA: b\r\n c\r\n\r\n",
      "0\r\nbad\r\n\r\n",
      "0\r\n",
      "",
      "0\n\n",
    ),
  )
  .map((parts) => parts.join(""));
const untilClose = fc.tuple(lineEnd, body).map((parts) => parts.join(""));

const interim = fc
  .tuple(oneOf("HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n", "HTTP/1.1 102\r\n"), lineEnd)
  .map((parts) => parts.join(""));

const answer = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: fc.array(interim, { maxLength: 2 }).map((all) => all.join("")) },
    ),
    statusLine,
    headers,
    fc.oneof(withLength, chunked, untilClose),
    mostly("", latin1, "\r\n", "HTTP/1.1 500 No\r\n\r\n"),
  )
  .map((parts) => parts.join(""));

/** An answer with one or two bytes changed, removed or added. */
const damaged = fc
  .tuple(
    answer,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), oneOf("change", "lose", "add")), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((result, [offset, byte, how]) => {
      const at = offset % (result.length + 1);
      const before = result.slice(0, at) + (how === "lose" ? "" : String.fromCharCode(byte));
      return before + result.slice(how === "add" ? at : at + 1);
    }, text),
  );

const text = fc.oneof(
  { weight: 20, arbitrary: answer },
  { weight: 3, arbitrary: damaged },
  // A truncated answer.
  { weight: 1, arbitrary: fc.tuple(answer, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))) },
);

/** Valid and invalid answers, split into pieces at any byte. */
export const scripts: fc.Arbitrary<Script> = fc
  .tuple(text, fc.oneof(fc.constant([]), fc.array(fc.nat(), { maxLength: 6 }), fc.constant("bytes" as const)))
  .map(([whole, cuts]) => {
    const bytes = Buffer.from(whole, "latin1");
    const positions = cuts === "bytes" ? [...bytes.keys()] : cuts.map((cut) => cut % (bytes.length + 1));
    const ends = [...new Set([...positions, bytes.length])].filter((end) => end > 0).sort((a, b) => a - b);
    const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
    return { text: whole, pieces };
  });
