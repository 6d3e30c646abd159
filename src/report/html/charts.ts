import type { Axis, Figures, Series } from "../figures/index.js";
import { failureMeaning } from "../findings/index.js";
import type { ChartData, HeatData, PageData, SeriesData, Unit } from "./browser/data.js";

/** A chart with title and caption. */
export interface TitledChart {
  readonly chart: ChartData;
  readonly title: string;
  /** What it shows and how to read it. */
  readonly about: string;
}

/** The scale is logarithmic above this ratio of maximum to median latency. */
const LOG_RATIO = 30;

/** A series of at most this many buckets shows its points. */
const POINTS_MAX = 120;

/** Failure kinds with a separate series; further kinds share one. */
const KINDS_MAX = 6;

const colours = ["blue", "orange", "green", "red", "purple", "teal", "brown", "grey"] as const;

/** The charts of a run in page order, without empty ones. */
export function chartsOf(figures: Figures): TitledChart[] {
  return [
    ...rates(figures),
    ...latencies(figures),
    ...openRequests(figures),
    ...lateness(figures),
    ...failures(figures),
    ...fleet(figures),
  ].filter(({ chart }) => chart.series.some(({ values }) => values.some((value) => value !== null)));
}

/** The input of the page's script. */
export function pageData(figures: Figures, charts: readonly TitledChart[]): PageData {
  const { axis, marks } = figures;
  return {
    untilMs: axis.count * axis.widthMs,
    axisName: axisName(axis),
    charts: charts.map(({ chart }) => chart),
    heat: heatData(figures),
    // API requests are too many for lines, and most are reactions to events.
    marks: marks.filter(({ kind }) => kind !== "api"),
  };
}

/** The clock of the axis, for titles. */
export function axisName({ kind }: Axis): string {
  return kind === "wall" ? "wall time" : "virtual time";
}

/** The heat map of latencies; undefined: no latency was measured. */
export function heatData({ heat, axis, latencyMs }: Figures): HeatData | undefined {
  if (latencyMs.max === null) return undefined;
  const [first = 0.1, second = first * 10 ** (1 / 8)] = heat.rowsFromMs;
  const last = heat.rowsFromMs.at(-1) ?? first;
  return {
    id: "heat",
    columnMs: heat.bucketsPerColumn * axis.widthMs,
    columns: heat.columns,
    boundsMs: [...heat.rowsFromMs, last * (second / first)].map((ms) => Number(ms.toPrecision(3))),
    counts: heat.counts,
  };
}

/** Counts per bucket as a rate: per second of wall time, or per minute of virtual time. */
function perTime(counts: readonly number[], axis: Axis): { values: number[]; unit: Unit } {
  const unitMs = axis.kind === "wall" ? 1000 : 60_000;
  const factor = unitMs / axis.widthMs;
  return {
    values: counts.map((count) => Number((count * factor).toPrecision(4))),
    unit: unitMs === 1000 ? "/s" : "/min",
  };
}

function base(figures: Figures, id: string): Omit<ChartData, "unit" | "series"> {
  const { axis } = figures;
  return {
    id,
    isLog: false,
    isStacked: false,
    hasPoints: axis.count <= POINTS_MAX,
    xMs: Array.from({ length: axis.count }, (_, bucket) => bucket * axis.widthMs),
  };
}

function rates(figures: Figures): TitledChart[] {
  const { axis, perBucket, attempts } = figures;
  const rate = (counts: readonly number[]): number[] => perTime(counts, axis).values;
  const { unit } = perTime([], axis);
  const series: SeriesData[] = [{ label: "events due", colour: "grey", dash: [2, 3], values: rate(perBucket.events) }];
  if (attempts > 0) {
    series.push({ label: "attempts due", colour: "blue", values: rate(perBucket.attempts) });
    series.push({ label: "of these accepted", colour: "green", dash: [6, 3], values: rate(perBucket.accepted) });
  }
  if (perBucket.ended !== undefined) {
    series.push({ label: "answered", colour: "orange", dash: [1, 3], values: rate(perBucket.ended) });
  }
  const time = axis.kind === "wall" ? "second" : "virtual minute";
  return [
    {
      title: "Rate",
      about: `Events and attempts a ${time}. Attempts above events are retries; accepted below attempts are failures.`,
      chart: { ...base(figures, "rate"), unit, series },
    },
  ];
}

function latencies(figures: Figures): TitledChart[] {
  const { perBucket, speed, latencyMs } = figures;
  const isLog = (latencyMs.max ?? 0) > LOG_RATIO * (latencyMs.p50 ?? 1);
  const of = (values: Series): Series =>
    isLog ? values.map((ms) => (ms === null ? null : Math.max(ms, 0.01))) : values;
  const counted = speed === null ? "from the request's way out to the answer" : "from the due time to the answer";
  return [
    {
      title: "Delivery time",
      about: `Wall time ${counted}, by when the attempt was due. Timeouts count as the time waited.${isLog ? " Equal steps upwards are equal factors." : ""}`,
      chart: {
        ...base(figures, "latency-chart"),
        unit: "ms",
        isLog,
        series: [
          { label: "max", colour: "grey", dash: [1, 3], values: of(perBucket.max) },
          { label: "p99", colour: "red", dash: [2, 2], values: of(perBucket.p99) },
          { label: "p95", colour: "orange", dash: [6, 3], values: of(perBucket.p95) },
          { label: "p50", colour: "blue", values: of(perBucket.p50) },
          ...(perBucket.serviceP50 === undefined
            ? []
            : [{ label: "service p50", colour: "green", dash: [8, 2, 2, 2], values: of(perBucket.serviceP50) }]),
        ],
      },
    },
  ];
}

function openRequests(figures: Figures): TitledChart[] {
  const { open: values } = figures.perBucket;
  if (values === undefined) return [];
  return [
    {
      title: "Waiting for the receiver",
      about: "Attempts that were due and had no answer yet. A line that climbs is a receiver that does not keep up.",
      chart: {
        ...base(figures, "open"),
        unit: "",
        series: [{ label: "attempts waiting", colour: "purple", values }],
      },
    },
  ];
}

function lateness(figures: Figures): TitledChart[] {
  const { latenessP99, latenessMax } = figures.perBucket;
  if (latenessP99 === undefined || latenessMax === undefined) return [];
  return [
    {
      title: "Lateness of the lab itself",
      about: "From the due time until the attempt was made: added by the lab, not by the receiver.",
      chart: {
        ...base(figures, "lateness"),
        unit: "ms",
        series: [
          { label: "max", colour: "grey", dash: [1, 3], values: latenessMax },
          { label: "p99", colour: "teal", values: latenessP99 },
        ],
      },
    },
  ];
}

function failures(figures: Figures): TitledChart[] {
  const { axis } = figures;
  if (figures.failures.length === 0) return [];
  const named = figures.failures.slice(0, KINDS_MAX).map(({ kind, perBucket }) => ({ label: kind, perBucket }));
  const others = figures.failures.slice(KINDS_MAX);
  if (others.length > 0) {
    const sum = named[0]?.perBucket.map((_, bucket) =>
      others.reduce((all, one) => all + (one.perBucket[bucket] ?? 0), 0),
    );
    named.push({ label: `${others.length} other kinds`, perBucket: sum ?? [] });
  }
  const { unit } = perTime([], axis);
  return [
    {
      title: "Not accepted, by kind",
      about: `Each kind lies on the one named after it; the height is all together. ${legend(figures)}`,
      chart: {
        ...base(figures, "failures"),
        hasPoints: false,
        unit,
        isStacked: true,
        series: named.map(({ label, perBucket }, index) => ({
          label,
          colour: failureColours[index] ?? "grey",
          values: perTime(perBucket, axis).values,
        })),
      },
    },
  ];
}

const failureColours: readonly string[] = ["red", "orange", "purple", "teal", "brown", "blue", "grey"];

function legend({ failures: kinds }: Figures): string {
  return kinds
    .slice(0, 3)
    .map(({ kind }) => (/^\d+$/.test(kind) ? "" : `${kind}: ${failureMeaning(kind)}.`))
    .join(" ")
    .trim();
}

function fleet(figures: Figures): TitledChart[] {
  const { atMs, groups } = figures.fleet;
  if (atMs.length < 2) return [];
  const chart = (id: string): Omit<ChartData, "unit" | "series"> => ({
    ...base(figures, id),
    hasPoints: false,
    xMs: atMs,
  });
  const lines = (values: (group: (typeof groups)[number]) => readonly number[]): SeriesData[] =>
    groups.map((group, index) => ({
      label: group.name,
      colour: colours[index % colours.length] ?? "grey",
      ...(index > 0 && { dash: dashes[index % dashes.length] ?? [] }),
      values: values(group),
    }));
  const shares = (of: (group: (typeof groups)[number]) => readonly number[]): SeriesData[] =>
    lines((group) => of(group).map((count) => Math.round((1000 * count) / Math.max(1, group.handsets)) / 10));
  const gone = shares(({ offline }) => offline);
  return [
    {
      title: "Queues on the phones",
      about: "Messages to send and reports that wait on handsets, by group.",
      chart: { ...chart("waiting"), unit: "", series: lines(({ waiting }) => waiting) },
    },
    ...(gone.some(({ values }) => values.some((value) => (value ?? 0) > 0))
      ? [
          {
            title: "Phones without a data link",
            about: "Share of each group that cannot reach the service; phones that are off are among them.",
            chart: { ...chart("offline"), unit: "%" as const, max: 100, series: gone },
          },
        ]
      : []),
    {
      title: "Battery",
      about: "The mean of each group; the dotted line is the lowest battery among all sampled phones.",
      chart: {
        ...chart("battery"),
        unit: "%",
        max: 100,
        series: [
          ...lines(({ batteryMean }) => batteryMean),
          {
            label: "lowest",
            colour: "grey",
            dash: [1, 3],
            values: atMs.map((_, at) => Math.min(...groups.map(({ batteryMin }) => batteryMin[at] ?? 100))),
          },
        ],
      },
    },
  ];
}

const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 2, 2, 2]];
