/**
 * The most requests a second that one Node thread can post: every connection sends the same bytes again as soon as any
 * answer bytes arrive, and parses, measures and records nothing.
 *
 * Arguments: address, body, connections, seconds. Prints requests a second.
 */
import { connect } from "node:net";

const [url = "", body = "", connections = "", seconds = ""] = process.argv.slice(2);
const { hostname, host, port, pathname } = new URL(url);
const request = [
  `POST ${pathname} HTTP/1.1`,
  `host: ${host}`,
  "content-type: application/x-www-form-urlencoded",
  `content-length: ${body.length}`,
  "",
  body,
].join("\r\n");
const buffer = Buffer.alloc(64 * 1024);
const startedAt = performance.now();
let answers = 0;
for (let index = 0; index < Number(connections); index++) {
  const callback = (): boolean => {
    answers++;
    socket.write(request, "latin1");
    return true;
  };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
  socket.once("connect", () => socket.write(request, "latin1"));
}
setTimeout(
  () => {
    console.log((answers * 1000) / (performance.now() - startedAt));
    process.exit(0);
  },
  Number(seconds) * 1000,
);
