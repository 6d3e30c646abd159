import type { AddressInfo } from "node:net";
import { LabError } from "../base/index.js";
import type { Lab } from "../lab/index.js";
import { answerUpgrades, refusalOfAddress } from "../servers/index.js";

/** Where metrics are offered. */
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
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw cannotOffer({ host, port }, error);
  }
  const { port: taken } = server.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}/metrics`,
    close: () => server.close(),
  };
}

/**
 * Checks that metrics can be offered at an address, before there is anything to measure.
 *
 * @throws LabError `port-taken`
 */
export async function checkMetricsAddress({ port, host = "127.0.0.1" }: MetricsAddress): Promise<void> {
  const error = await refusalOfAddress({ host, port });
  if (error !== undefined) throw cannotOffer({ host, port }, error);
}

function cannotOffer({ host, port }: Required<MetricsAddress>, error: unknown): LabError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new LabError("port-taken", `cannot offer metrics at ${host}:${port} (${code})`, {
    hint: "choose another port with --metrics; 0 is a free one",
    cause: error,
  });
}
