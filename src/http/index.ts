/**
 * HTTP/1.1 client: connection pool, framing, deadlines, TLS, redirects; in the calling thread or in a
 * separate one.
 */
export { CUT } from "./crafted-write.js";
export { CLOSED, DEFAULT_CONNECTIONS, postOnce, HttpClient, type HttpClientOptions, WITHDRAWN } from "./client.js";
export { Fifo } from "./fifo.js";
export { allowedHosts, isLoopback } from "./hosts.js";
export { lookupFor } from "./loopback-lookup.js";
export { type HttpResult, unsentResult } from "./http-result.js";
export { sendableHeaders } from "./message/request.js";
export { postedHeaders } from "./posted-headers.js";
export type { HttpSender, HttpRequest, ThreadedHttpSender } from "./http-sender.js";
export { addressOf } from "./url-target.js";
export { ThreadedHttpClient } from "./thread/threaded-client.js";
