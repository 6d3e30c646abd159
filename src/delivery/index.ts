/** Delivers events to receivers and to subscribers of resthooks: attempts, outcomes under a service preset, retries. */
export { Delivery } from "./delivery.js";
export type { DeliveryOptions, DeliveryPorts, FinishedAttempt } from "./delivery-options.js";
export { type SubscriberPosting, Subscribers } from "./subscribers.js";
export type { Attempt, Posting } from "./types.js";
