/** Brings events to receivers: the HTTP sender, attempts and retries, what came back and how long it took. */
export * from "./types.js";
export { DEFAULT_CONNECTIONS, postOnce, type PostOnceRequest, Sender, type SenderOptions } from "./sender.js";
export type { Poster, PostRequest, ThreadedPoster } from "./poster.js";
export { ThreadedSender } from "./thread/threaded-sender.js";
export { Delivery, type DeliveryOptions, type DeliveryPorts, type EventOutcome, type PastAttempt } from "./delivery.js";
export { allowedHosts, isLoopback } from "./hosts.js";
export { type SubscriberPosting, Subscribers, type SubscribersOptions } from "./subscribers.js";
