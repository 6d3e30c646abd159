/** HTTP/1.1 client: connection pool, framing, deadlines, TLS, redirects; in the calling thread or in a thread of its own. */
export {
  CLOSED,
  DEFAULT_CONNECTIONS,
  postOnce,
  type PostOnceRequest,
  Sender,
  type SenderOptions,
  WITHDRAWN,
} from "./client.js";
export { Fifo } from "./fifo.js";
export { allowedHosts, isLoopback } from "./hosts.js";
export { type Exchange, unsent } from "./http-result.js";
export type { Poster, PostRequest, ThreadedPoster } from "./http-sender.js";
export { ThreadedSender } from "./thread/threaded-client.js";
