/**
 * Brings events to receivers: attempts, retries, what an answer means under a service preset, subscribers of
 * resthooks.
 */
export { Delivery } from "./delivery.js";
export type { DeliveryOptions, DeliveryPorts, FinishedAttempt } from "./delivery-options.js";
export { type SubscriberPosting, Subscribers } from "./subscribers.js";
export type { Attempt, Posting } from "./types.js";
