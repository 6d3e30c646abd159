import "./icon.css";

/** Outlines on a 16 x 16 grid, drawn with a line of 1.5 in the colour of the text. */
const outlines = {
  airplane:
    "M8 1.5c.7 0 1.1.8 1.1 1.8v3l5.4 3.2v1.6L9.1 9.5v3.2l1.7 1.2v1L8 14.2l-2.8.7v-1l1.7-1.2V9.5l-5.4 1.6V9.5l5.4-3.2v-3C6.9 2.3 7.3 1.5 8 1.5Z",
  airplaneOff:
    "m2 2 12 12M9.1 6.3v-3C9.1 2.3 8.7 1.5 8 1.5s-1.1.8-1.1 1.8m0 4.2L1.5 9.5v1.6l5.4-1.6v3.2l-1.7 1.2v1l2.8-.7 2.8.7v-1l-1.7-1.2",
  alarm: "M8 1.8 14.8 13.7H1.2ZM8 6.2v3.5M8 11.7v.1",
  application: "M2 3h12v10H2ZM2 6h12M4 4.5h.1M6 4.5h.1",
  arrowRight: "M2.5 8h11M9.5 4l4 4-4 4",
  arrowLeft: "M13.5 8h-11M6.5 4l-4 4 4 4",
  bell: "M8 2a4 4 0 0 1 4 4c0 4 1.5 5 1.5 5h-11S4 10 4 6a4 4 0 0 1 4-4ZM6.7 13.5a1.5 1.5 0 0 0 2.6 0",
  book: "M2.5 2.5H6A2 2 0 0 1 8 4.5v9a2 2 0 0 0-2-1.5H2.5ZM13.5 2.5H10A2 2 0 0 0 8 4.5v9a2 2 0 0 1 2-1.5h3.5Z",
  calendar: "M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3",
  call: "M3.5 2h2.3l1.2 3-1.6 1.1a8 8 0 0 0 3.5 3.5L10 8l3 1.2v2.3c0 .8-.7 1.5-1.5 1.5A9.5 9.5 0 0 1 2 3.5C2 2.7 2.7 2 3.5 2Z",
  chain: "M3 3.5h4M3 3.5v9M3 8h4M3 12.5h4M9.5 2h4v3h-4ZM9.5 6.5h4v3h-4ZM9.5 11h4v3h-4Z",
  chart: "M2 2v12h12M4.5 10.5l3-4 2.5 2.5 3.5-5",
  check: "m2.5 8.5 3.5 3.5 7.5-8",
  chevronDown: "m4 6 4 4 4-4",
  chevronLeft: "m10 4-4 4 4 4",
  chevronRight: "m6 4 4 4-4 4",
  chevronUp: "m4 10 4-4 4 4",
  clock: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 4.5V8l2.5 1.5",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  cross: "m3.5 3.5 9 9M12.5 3.5l-9 9",
  district: "M1.5 13.5h13M3 13.5V9l3-2.5L9 9v4.5M10.5 13.5v-8M8.8 7.5l1.7-3 1.7 3M8 2.8a3.5 3.5 0 0 1 5 0",
  dot: "M8 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z",
  download: "M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  edit: "M2.5 13.5v-2.7l8-8 2.7 2.7-8 8ZM9 4.3 11.7 7",
  events: "M2 3.5h2M6 3.5h8M2 8h2M6 8h8M2 12.5h2M6 12.5h8",
  external: "M9.5 2.5h4v4M13.5 2.5l-6 6M6.5 3.5h-4v10h10v-4",
  filter: "M2 3h12L9.5 8.5V13L6.5 11.5v-3Z",
  fleet: "M2 2h3.5v5H2ZM2 9h3.5v5H2ZM6.3 2h3.5v5H6.3ZM6.3 9h3.5v5H6.3ZM10.5 2H14v5h-3.5ZM10.5 9H14v5h-3.5Z",
  flow: "M5.5 1.8h5v3h-5ZM1.8 11.2h4.5v3H1.8ZM9.7 11.2h4.5v3H9.7ZM8 4.8v3M4 11.2V7.8h8v3.4",
  group:
    "M6 3a2.3 2.3 0 1 1 0 4.6A2.3 2.3 0 0 1 6 3ZM1.5 13.5c0-2.7 2-4.2 4.5-4.2s4.5 1.5 4.5 4.2ZM10.5 3.3a2.3 2.3 0 0 1 0 4.2M12 9.7c1.6.5 2.5 1.8 2.5 3.8",
  help: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM6 6.3C6 5 6.9 4.3 8 4.3s2 .8 2 1.9C10 7.5 8 7.6 8 9.2M8 11.5v.1",
  info: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 7.3v4M8 4.7v.1",
  link: "M6.5 9.5a3 3 0 0 0 4.3 0l2-2a3 3 0 0 0-4.3-4.3l-1 1M9.5 6.5a3 3 0 0 0-4.3 0l-2 2a3 3 0 0 0 4.3 4.3l1-1",
  low: "M1.5 4.5h11v7h-11ZM14.5 7v2M4 7v2",
  menu: "M2 4h12M2 8h12M2 12h12",
  message: "M2 2.5h12v8.5H7l-3 2.8V11H2Z",
  minus: "M3 8h10",
  missed: "M2 3l6 5 4.5-4M2 3v3.5M2 3h3.5M2.5 13c3-2.5 8-2.5 11 0",
  monitor: "M1.5 2.5h13v8.5h-13ZM5.5 14h5M8 11v3",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  more: "M3 8h.1M8 8h.1M13 8h.1",
  offline: "M2 2l12 12M3 13h.1M6.5 13v-3M10 13v-1.5M10 8V7M13.5 10.5V3",
  pause: "M5 3v10M11 3v10",
  person: "M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2ZM2.5 14c0-3 2.4-4.7 5.5-4.7s5.5 1.7 5.5 4.7Z",
  phone: "M4 1.5h8v13H4ZM7 12.5h2",
  play: "M4.5 2.5v11l9-5.5Z",
  plug: "M5.5 1.5v3M10.5 1.5v3M3.5 4.5h9V7A4.5 4.5 0 0 1 8 11.5 4.5 4.5 0 0 1 3.5 7ZM8 11.5v3",
  plus: "M8 3v10M3 8h10",
  power: "M8 1.5V8M4.5 4a5.5 5.5 0 1 0 7 0",
  queue: "M2 4h8M2 8h12M2 12h8M12.5 2.5v3M11 4h3",
  reload: "M13.5 8A5.5 5.5 0 1 1 11.7 4M13.5 1.5V5H10",
  repeat: "M2.5 7V6A2.5 2.5 0 0 1 5 3.5h8.5M11 1l2.5 2.5L11 6M13.5 9v1a2.5 2.5 0 0 1-2.5 2.5H2.5M5 15l-2.5-2.5L5 10",
  rewind: "M14 3v10L8 8ZM7.5 3v10l-6-5Z",
  run: "M2.5 13.5V8.5M6.2 13.5v-8M9.8 13.5V7M13.5 13.5v-11",
  search: "M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2ZM10.7 10.7l3.3 3.3",
  send: "M14 2 7 9M14 2l-4 12-3-5-5-3Z",
  server: "M2.5 2.5h11v4.5h-11ZM2.5 9h11v4.5h-11ZM5 4.8h.1M5 11.3h.1",
  settings: "M2 4.5h6M12 4.5h2M10 2.8v3.4M2 11.5h2M8 11.5h6M6 9.8v3.4",
  sideOpen: "M2 2.5h12v11H2ZM9.5 2.5v11",
  sort: "M5 2.5v11M2.5 11 5 13.5 7.5 11M11 13.5v-11M8.5 5 11 2.5 13.5 5",
  step: "M3 3v10l7-5ZM12.5 3v10",
  stop: "M3.5 3.5h9v9h-9Z",
  story: "M3 1.5v13M3 2.5h10l-2.5 3.3L13 9H3",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  trash: "M2.5 4h11M6 4V2.2h4V4M4 4l.7 9.8h6.6L12 4M6.7 6.8v4.5M9.3 6.8v4.5",
  upload: "M8 10.5V2M4.5 5.5 8 2l3.5 3.5M2.5 13.5h11",
  warning: "M8 1.8 14.8 13.7H1.2ZM8 6.2v3.5M8 11.7v.1",
} as const;

export type IconName = keyof typeof outlines;

/**
 * A glyph. Without `label` it is decoration beside words; with one it is an image with that name.
 * @param size - CSS length; default: slightly taller than capital letters
 */
export function Icon({
  name,
  label,
  size,
}: {
  readonly name: IconName;
  readonly label?: string;
  readonly size?: string;
}) {
  return (
    <svg class="design-icon" viewBox="0 0 16 16" {...named(label)} {...sized(size)}>
      <path d={outlines[name]} />
    </svg>
  );
}

/** A battery with its level, and a bolt while it charges. @param percent - 0..100 */
export function BatteryIcon({
  percent,
  isCharging = false,
  label,
  size,
}: {
  readonly percent: number;
  readonly isCharging?: boolean;
  readonly label?: string;
  readonly size?: string;
}) {
  const width = (Math.max(0, Math.min(100, percent)) / 100) * 8.5;
  return (
    <svg class="design-icon" viewBox="0 0 16 16" {...named(label)} {...sized(size)}>
      <path d="M1.5 4.5h11v7h-11ZM14.5 7v2" />
      {percent > 0 && <rect class="design-icon-solid" x="2.75" y="5.75" width={width} height="4.5" />}
      {isCharging && <path class="design-icon-bolt" d="M7.8 3 4.8 8.3h2.3L6.2 13l3-5.3H6.9Z" />}
    </svg>
  );
}

/** Signal bars. @param level - 0..4; 0: no signal, struck through */
export function SignalIcon({
  level,
  label,
  size,
}: {
  readonly level: number;
  readonly label?: string;
  readonly size?: string;
}) {
  return (
    <svg class="design-icon" viewBox="0 0 16 16" {...named(label)} {...sized(size)}>
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          class={bar < level ? "design-icon-solid" : "design-icon-faint"}
          x={1.5 + bar * 3.5}
          y={11 - bar * 3}
          width="2.5"
          height={3 + bar * 3}
        />
      ))}
      {level <= 0 && <path d="m2.5 2.5 4.5 4.5M7 2.5 2.5 7" />}
    </svg>
  );
}

function named(label: string | undefined) {
  return label === undefined ? ({ "aria-hidden": "true" } as const) : ({ role: "img", "aria-label": label } as const);
}

function sized(size: string | undefined) {
  return size === undefined ? {} : { style: { inlineSize: size, blockSize: size } };
}
