/**
 * Delivers events to receivers: attempts, outcomes under a service preset, retries. Sends the other HTTP requests of the
 * service.
 */
export { Delivery, type Retry } from "./delivery.js";
export type { DeliveryOptions, DeliveryPorts, FinishedAttempt } from "./delivery-options.js";
export { type ServiceAnswer, type ServiceRequest, ServiceRequests } from "./service-requests.js";
export type { Attempt, Posting } from "./types.js";
export { DeliveryTroubles, type TroubleEffect, type TroubleRule } from "./trouble/delivery-troubles.js";
export type { Trouble } from "./trouble/trouble.js";
