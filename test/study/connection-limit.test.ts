import { describe, expect, it } from "vitest";
import { ConnectionLimit } from "../../src/study/connection-limit.js";

describe("the connections of a search", () => {
  const calm = { waitingMost: 20, attemptsPerSecond: 40, serviceP50Ms: 250, hasPassed: true, isRamp: true };
  const full = { ...calm, waitingMost: 400, serviceP50Ms: 255, hasPassed: false };

  it("are raised if attempts wait for one and the receiver is not slower", () => {
    const limit = new ConnectionLimit({ connections: 50, isFixed: false });
    expect(limit.assess(calm)).toBeUndefined();
    expect(limit.note).toBeUndefined();
    expect(limit.assess(full)).toEqual({
      reason: "200 connections from now on: all 50 in use, and the receiver no slower",
      isRaised: true,
    });
    expect(limit.connections).toBe(200);
    expect(limit.note).toContain("up to 200 connections instead of 50");
  });

  it("stay if the receiver is slower: its own queue is the limit", () => {
    const limit = new ConnectionLimit({ connections: 50, isFixed: false });
    limit.assess({ ...calm, serviceP50Ms: 5 });
    expect(limit.assess(full)).toBeUndefined();
    expect(limit.connections).toBe(50);
  });

  it("are raised before the ramp needs them: its next load is four times as high", () => {
    const limit = new ConnectionLimit({ connections: 50, isFixed: false });
    limit.assess({ ...calm, attemptsPerSecond: 45, serviceP50Ms: 1000, isRamp: false });
    expect(limit.connections).toBe(50);
    limit.assess({ ...calm, attemptsPerSecond: 45, serviceP50Ms: 1000 });
    expect(limit.connections).toBe(200);
  });

  it("stay if the user has set them, and at 800: the reason names the connections", () => {
    const fixed = new ConnectionLimit({ connections: 50, isFixed: true });
    fixed.assess(calm);
    expect(fixed.assess(full)).toEqual({
      reason: "our 50 connections are the limit: all in use, and the receiver no slower",
      isRaised: false,
    });
    expect(fixed.connections).toBe(50);
    expect(fixed.ceiling).toEqual({ connections: 50, serviceMs: 255, toTry: 100 });
    const limit = new ConnectionLimit({ connections: 400, isFixed: false });
    limit.assess(calm);
    expect(limit.assess({ ...full, waitingMost: 4000 })?.reason).toContain("800 connections from now on");
    expect(limit.assess({ ...full, waitingMost: 4000 })).toMatchObject({ isRaised: false });
    expect(limit.connections).toBe(800);
  });

  it("should be enough for the load that failed next time, by Little's law, and for twice as much as these", () => {
    const limitOf = (attemptsPerSecond: number): ConnectionLimit => {
      const limit = new ConnectionLimit({ connections: 20, isFixed: true });
      limit.assess({ ...calm, serviceP50Ms: 20 });
      limit.assess({ ...full, attemptsPerSecond, serviceP50Ms: 21 });
      return limit;
    };
    expect(limitOf(1000).carriedPerSecond).toBe(1000);
    expect(limitOf(1000).ceiling).toEqual({ connections: 20, serviceMs: 21, toTry: 40 });
    expect(limitOf(2500).ceiling?.toTry).toBe(60);
    expect(new ConnectionLimit({ connections: 20, isFixed: true }).ceiling).toBeUndefined();
  });
});
