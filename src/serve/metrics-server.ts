import type { Lab } from "../lab/index.js";
import { answerUpgrades } from "../servers/index.js";
import { listenAt, type AddressPurpose } from "./address.js";

/** The purpose of the metrics' address. */
export const offeringMetrics: AddressPurpose = {
  verb: "offer metrics",
  hint: () => "choose another port with --metrics; 0 is a free one",
};

/** The address of the metrics. */
export interface MetricsAddress {
  /** 0: any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

/** A listening server of metrics. */
export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string;
  /** May be called twice. */
  close(): Promise<void>;
}

/**
 * Offers the metrics of a lab to Prometheus, in its text format.
 *
 * @throws LabError `port-taken`
 */
export async function offerMetrics(
  lab: () => Lab,
  { port, host = "127.0.0.1" }: MetricsAddress,
): Promise<MetricsServer> {
  // Imported on demand: few runs offer metrics.
  const [{ default: fastify }, { prometheusOf }] = await Promise.all([import("fastify"), import("./prometheus.js")]);
  const registry = prometheusOf(lab);
  const server = fastify({ forceCloseConnections: true });
  answerUpgrades(server.server);
  server.get("/metrics", async (_request, reply) => {
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
  const url = await listenAt(server, { host, port }, offeringMetrics);
  return { url: `${url}/metrics`, close: () => server.close() };
}
