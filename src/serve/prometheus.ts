import { Counter, Gauge, type Metric, Registry } from "prom-client";
import type { Lab } from "../lab/index.js";
import { attemptOutcomes, type Latency, type Meter } from "../measure/index.js";

/** Upper bounds of the histograms' buckets, in seconds: from loopback to the longest timeout. */
const BUCKETS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]; // prettier-ignore

type MetricLabels = Readonly<Record<string, string>>;
type MetricValues = Iterable<readonly [labels: MetricLabels, value: number]>;

/**
 * The metrics of a lab in a separate registry, which reads them from the lab only when Prometheus scrapes. Names follow
 * Prometheus' rules: base units (seconds, bytes), `_total` for counters.
 *
 * @param lab - the current lab; restoring a snapshot replaces it
 */
export function prometheusOf(lab: () => Lab): Registry {
  const registry = new Registry();
  const meter = (): Meter => lab().pipeline.measurements.meter;
  const counter = (name: string, help: string, labelNames: readonly string[], series: () => MetricValues): void => {
    new Counter({
      name: `handset_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [labels, value] of series()) this.inc(labels, value);
      },
    });
  };
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: `handset_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };
  const histogram = (name: string, help: string, series: () => Iterable<readonly [MetricLabels, Latency]>): void => {
    registry.registerMetric(measuredHistogram(`handset_${name}`, help, series));
  };

  counter("events_total", "Events that were created.", ["type", "group"], function* () {
    for (const type of meter().types) {
      for (const group of meter().groups) {
        const count = meter().sum({ type, group }, ({ events }) => events);
        if (count > 0) yield [{ type, group }, count];
      }
    }
  });
  counter("attempts_total", "Attempts to deliver an event, by how they ended.", ["type", "outcome"], function* () {
    for (const type of meter().types) {
      for (const outcome of attemptOutcomes) {
        yield [{ type, outcome }, meter().sum({ type }, ({ outcomes }) => outcomes[outcome])];
      }
    }
  });
  counter("answers_total", "Answers of the receiver, by HTTP status.", ["status"], function* () {
    for (const [status, count] of meter().total().statuses) yield [{ status: String(status) }, count];
  });
  counter("errors_total", "Attempts without a usable answer, by code.", ["code"], function* () {
    for (const [code, count] of meter().total().errors) yield [{ code }, count];
  });
  counter("retries_total", "Attempts beyond the first of an event.", [], () => [
    [{}, meter().sum({}, ({ retries }) => retries)],
  ]);
  counter("body_bytes_total", "Bytes of bodies, in requests (out) and answers (in).", ["direction"], () => [
    [{ direction: "out" }, meter().sum({}, ({ bytesOut }) => bytesOut)],
    [{ direction: "in" }, meter().sum({}, ({ bytesIn }) => bytesIn)],
  ]);
  counter(
    "replies_total",
    "Answers that sent a message (valid), or asked for one without effect (ignored).",
    ["kind"],
    () => (["valid", "ignored"] as const).map((kind) => [{ kind }, lab().replies[kind]]),
  );
  histogram("delivery_seconds", "From the due time of an attempt to its answer.", function* () {
    for (const type of meter().types) yield [{ type }, meter().total({ type }).delivery];
  });
  histogram("service_seconds", "From the request written to the answer read.", function* () {
    for (const type of meter().types) yield [{ type }, meter().total({ type }).service];
  });
  histogram(
    "lateness_seconds",
    "From the due time of an attempt until it was made: the generator's own lateness.",
    () => [[{}, meter().total().lateness]],
  );
  histogram(
    "round_trip_seconds",
    "From an incoming text to the receiver's message to that person; virtual time in lockstep.",
    () => [[{}, meter().total().roundTrip]],
  );
  gauge(
    "texts_without_effect",
    "Incoming texts that have had no effect so far.",
    () => lab().pipeline.measurements.trips.waiting,
  );
  gauge("attempts_in_flight", "Attempts whose answer is awaited.", () => lab().pipeline.delivery.awaited);
  gauge("events_retrying", "Events that wait for their next attempt.", () => lab().pipeline.delivery.waiting);
  gauge("waiting_on_phones", "Messages to send and reports to upload that wait on phones.", () => {
    return lab().progress().waitingOnPhones;
  });
  gauge("virtual_seconds", "Virtual time.", () => lab().nowMs / 1000);
  gauge("speed", "Virtual seconds per wall second; 0 while the clock is paused or the run waits for answers.", () => {
    const status = lab().clock?.status;
    return status === undefined || status.isPaused ? 0 : status.speed;
  });
  gauge("behind_seconds", "By how much what is due next is overdue: the generator itself is late.", () => {
    return (lab().clock?.overdueMs ?? 0) / 1000;
  });
  return registry;
}

/**
 * A histogram whose buckets the lab has already counted. prom-client's Histogram accepts only single values, but its
 * registry needs only `name` and `get`.
 */
function measuredHistogram(
  name: string,
  help: string,
  series: () => Iterable<readonly [MetricLabels, Latency]>,
): Metric<string> {
  const get = (): Promise<unknown> => {
    const values = [...series()].flatMap(([labels, latency]) => {
      const counts = latency.countsUpTo(BUCKETS_S.map((seconds) => seconds * 1000));
      const bucket = (le: string, value: number): object => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value,
      });
      return [
        ...BUCKETS_S.map((le, index) => bucket(String(le), counts[index] ?? 0)),
        bucket("+Inf", latency.count),
        { metricName: `${name}_sum`, labels, value: latency.sumMs / 1000 },
        { metricName: `${name}_count`, labels, value: latency.count },
      ];
    });
    return Promise.resolve({ name, help, type: "histogram", aggregator: "sum", values });
  };
  return { name, get } as unknown as Metric<string>;
}
