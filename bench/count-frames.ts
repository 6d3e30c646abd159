import type { Page } from "playwright-core";

export interface PageFigures {
  readonly framesPerSecond: number;
  /** Share of the frames that took over 34 ms: they miss 30 frames per second. */
  readonly late: number;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The figures of a page in words; undefined: no page was open. */
export function framesOf(page: PageFigures | undefined): string {
  return page === undefined ? "" : `${page.framesPerSecond.toFixed(0)} frames/s, ${percent(page.late)} over 34 ms`;
}

/** Counts the frames that a page could draw, whether it drew or not. */
export async function countFrames(tab: Page, forMs: number): Promise<PageFigures> {
  const spans = await tab.evaluate<number[], number>(
    (lengthMs) =>
      new Promise((resolve) => {
        const spans: number[] = [];
        const page = globalThis as unknown as { requestAnimationFrame(next: (at: number) => void): void };
        let began: number | undefined;
        let last = 0;
        const frame = (at: number): void => {
          if (began !== undefined) spans.push(at - last);
          last = at;
          if (at - (began ??= at) < lengthMs) page.requestAnimationFrame(frame);
          else resolve(spans);
        };
        page.requestAnimationFrame(frame);
      }),
    forMs,
  );
  const total = spans.reduce((sum, span) => sum + span, 0);
  return {
    framesPerSecond: (1000 * spans.length) / total,
    late: spans.filter((span) => span > 34).length / spans.length,
  };
}
