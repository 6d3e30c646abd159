import { describe, expect, it, onTestFinished, vi } from "vitest";
import { OperationLine } from "../../src/cli/terminal/operation-line.js";

/** A line of 60 columns on a screen that shows the latest text; empty: it was cleared. */
function lineOnScreen(): { line: OperationLine; screen: () => string } {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let shown = "";
  const live = Object.assign((text: string) => void (shown = text), { clear: () => void (shown = "") });
  return { line: new OperationLine(live, 60), screen: () => shown };
}

describe("the progress of an operation", () => {
  it("is shown after two seconds, ten times a second at most, and removed at the end", () => {
    const { line, screen } = lineOnScreen();
    const show = (done: number): void => line.show({ operation: "reading events", done, total: 1_000_000 });
    show(0);
    vi.advanceTimersByTime(1999);
    show(199_900);
    expect(screen()).toBe("");
    vi.advanceTimersByTime(1);
    show(200_000);
    expect(screen()).toBe("reading events  20 %  200,000 of 1,000,000, about 8 s left");
    vi.advanceTimersByTime(99);
    show(209_900);
    expect(screen()).toContain("200,000");
    vi.advanceTimersByTime(1);
    show(210_000);
    expect(screen()).toContain("210,000");
    line.clear();
    expect(screen()).toBe("");
  });

  it("names each operation in turn, and counts the time left from its own begin", () => {
    const { line, screen } = lineOnScreen();
    line.show({ operation: "reading events", done: 0, total: 10 });
    vi.advanceTimersByTime(60_000);
    line.show({ operation: "reading events", done: 10, total: 10 });
    expect(screen()).toBe("reading events 100 %  10 of 10");
    line.show({ operation: "reading attempts", done: 0, total: 10 });
    expect(screen()).toBe("reading attempts   0 %  0 of 10");
    vi.advanceTimersByTime(1000);
    line.show({ operation: "reading attempts", done: 5, total: 10 });
    expect(screen()).toBe("reading attempts  50 %  5 of 10, about 1 s left");
  });

  it("shows at once what blocks the thread for seconds, without a share where there is none, cut to the screen", () => {
    const { line, screen } = lineOnScreen();
    line.show({ operation: "joining messages", done: 0, total: 0, isLong: true });
    expect(screen()).toBe("joining messages…");
    line.show({ operation: "x".repeat(80), done: 0, total: 0, isLong: true });
    expect(screen()).toBe("x".repeat(59));
    line.clear();
    expect(screen()).toBe("");
  });

  it("shows nothing where there is no terminal", () => {
    const line = new OperationLine(undefined, 80);
    line.show({ operation: "reading events", done: 0, total: 0, isLong: true });
    line.clear();
  });
});
