import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { StreamHello, StreamWish } from "../../../src/console/index.js";
import { LabStream, type StreamSocket } from "../../../src/console/page/connection/stream.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it("says hello with the token, and resumes after a loss", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.opens();
  expect(sockets[0]?.hello).toEqual({ token: "secret" });
  sockets[0]?.receives({ kind: "delta", frame: 1 });
  expect(events).toEqual(["try", "live"]);

  sockets[0]?.ends(1006);
  expect(events.at(-1)).toBe("lost 500");
  vi.advanceTimersByTime(499);
  expect(sockets).toHaveLength(1);
  vi.advanceTimersByTime(1);
  sockets[1]?.opens();
  expect(sockets[1]?.hello).toEqual({ token: "secret", resume: { session: "a", frame: 1 } });
});

it("waits twice as long after each failure, up to fifteen seconds, and briefly again after a success", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  for (let attempt = 0; attempt < 7; attempt++) {
    sockets.at(-1)?.ends(1006);
    vi.runOnlyPendingTimers();
  }
  const waits = events.filter((event) => event.startsWith("lost"));
  expect(waits).toEqual(["lost 500", "lost 1000", "lost 2000", "lost 4000", "lost 8000", "lost 15000", "lost 15000"]);
  sockets.at(-1)?.receives({ kind: "delta", frame: 1 });
  sockets.at(-1)?.ends(1006);
  expect(events.at(-1)).toBe("lost 500");
});

it("varies its waits by half", () => {
  const { stream, sockets, events } = openStream({ random: () => 0 });
  stream.open();
  sockets[0]?.ends(1006);
  expect(events.at(-1)).toBe("lost 375");
});

it("asks for a snapshot when frames are missing", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.opens();
  sockets[0]?.receives({ kind: "delta", frame: 1 });
  sockets[0]?.receives({ kind: "delta", frame: 9 });
  expect(sockets[0]?.isClosed).toBe(true);
  expect(events.at(-1)).toBe("lost 500");
  vi.runOnlyPendingTimers();
  sockets[1]?.opens();
  expect(sockets[1]?.hello).toEqual({ token: "secret" });
});

it("does not try again with a token that was refused, until it is opened with another", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.ends(4401);
  expect(events).toEqual(["try", "refused"]);
  expect(vi.getTimerCount()).toBe(0);
  stream.open();
  expect(sockets).toHaveLength(2);
});

it("tries again when its token came too late, as on a busy machine", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.ends(4408);
  expect(events).toEqual(["try", "lost 500"]);
  vi.runOnlyPendingTimers();
  expect(sockets).toHaveLength(2);
});

it("says that nothing comes, and takes a long silence for a dead connection", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.opens();
  sockets[0]?.receives({ kind: "delta", frame: 1 });
  vi.advanceTimersByTime(4999);
  expect(events.at(-1)).toBe("live");
  vi.advanceTimersByTime(1);
  expect(events.at(-1)).toBe("silent");
  sockets[0]?.receives({ kind: "delta", frame: 2 });
  expect(events.at(-1)).toBe("live");
  vi.advanceTimersByTime(15_000);
  expect(sockets[0]?.isClosed).toBe(true);
  expect(events.at(-1)).toBe("lost 500");
});

it("connects again at once when the machine has slept: its timers stood, the wall clock continued", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.opens();
  sockets[0]?.receives({ kind: "delta", frame: 1 });
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1000);
  expect(sockets[0]?.isClosed).toBe(true);
  expect(events.at(-1)).toBe("lost 500");
});

it("waits longer for the first frame: a run's server has none before the run begins", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  sockets[0]?.opens();
  vi.advanceTimersByTime(29_000);
  expect(events).toEqual(["try"]);
  vi.advanceTimersByTime(1000);
  expect(events.at(-1)).toBe("lost 500");
});

it("ignores what an ended connection still says", () => {
  const { stream, sockets, events } = openStream();
  stream.open();
  stream.close();
  sockets[0]?.receives({ kind: "delta", frame: 1 });
  sockets[0]?.ends(1000);
  expect(events).toEqual(["try"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("is tried at once when asked while it waits", () => {
  const { stream, sockets } = openStream();
  stream.open();
  sockets[0]?.ends(1006);
  stream.open();
  stream.open();
  expect(sockets).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(sockets).toHaveLength(2);
});

it("sends what is wished after the hello, and when that changes", () => {
  const wished: { traffic?: boolean } = {};
  const { stream, sockets } = openStream({
    wish: () => (wished.traffic === undefined ? undefined : { traffic: wished.traffic }),
  });
  stream.open();
  stream.sendWish();
  sockets[0]?.opens();
  expect(sockets[0]?.sent).toEqual([{ token: "secret" }]);
  wished.traffic = true;
  stream.sendWish();
  expect(sockets[0]?.sent.at(-1)).toEqual({ traffic: true });
  sockets[0]?.ends(1006);
  stream.sendWish();
  vi.runOnlyPendingTimers();
  sockets[1]?.opens();
  expect(sockets[1]?.sent).toEqual([{ token: "secret" }, { traffic: true }]);
});

class FakeSocket implements StreamSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: ((event: { readonly code: number }) => void) | null = null;
  readonly sent: unknown[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  get hello(): StreamHello | undefined {
    return this.sent[0] as StreamHello | undefined;
  }

  close(): void {
    this.isClosed = true;
  }

  opens(): void {
    this.onopen?.();
  }

  receives(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  ends(code: number): void {
    this.onclose?.({ code });
  }
}

/** A stream whose picture takes frames 1, 2, 3 … */
function openStream({
  random = () => 0.5,
  wish = () => undefined,
}: { readonly random?: () => number; readonly wish?: () => StreamWish | undefined } = {}) {
  const sockets: FakeSocket[] = [];
  const events: string[] = [];
  let last = 0;
  const stream = new LabStream({
    openSocket() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    token: () => "secret",
    wish,
    resume: () => (last === 0 ? undefined : { session: "a", frame: last }),
    applyFrame(frame) {
      if (frame.frame !== last + 1) return false;
      last = frame.frame;
      return true;
    },
    onLive: () => events.push("live"),
    onSilent: () => events.push("silent"),
    onLost: (waitMs) => events.push(`lost ${waitMs}`),
    onTry: () => events.push("try"),
    onRefused: () => events.push("refused"),
    random,
  });
  return { stream, sockets, events: events as readonly string[] };
}
