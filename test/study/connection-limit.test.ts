import { describe, expect, it } from "vitest";
import { ConnectionLimit } from "../../src/study/connection-limit.js";

describe("the connections of a search", () => {
  const calm = { waitingMost: 20, serviceP50Ms: 250, hasPassed: true };

  it("become more where attempts wait for one and the receiver is no slower", () => {
    const limit = new ConnectionLimit({ connections: 50, isFixed: false });
    expect(limit.look(calm)).toBeUndefined();
    expect(limit.look({ waitingMost: 400, serviceP50Ms: 255, hasPassed: false })).toContain("all 50 connections");
    expect(limit.connections).toBe(200);
  });

  it("stay where the receiver is slower: its own queue is the limit", () => {
    const limit = new ConnectionLimit({ connections: 50, isFixed: false });
    limit.look({ ...calm, serviceP50Ms: 5 });
    expect(limit.look({ waitingMost: 400, serviceP50Ms: 250, hasPassed: false })).toBeUndefined();
    expect(limit.connections).toBe(50);
  });

  it("stay where the user has set them, and at 800", () => {
    const fixed = new ConnectionLimit({ connections: 50, isFixed: true });
    fixed.look(calm);
    expect(fixed.look({ waitingMost: 400, serviceP50Ms: 250, hasPassed: false })).toBeUndefined();
    const limit = new ConnectionLimit({ connections: 400, isFixed: false });
    limit.look(calm);
    expect(limit.look({ waitingMost: 4000, serviceP50Ms: 250, hasPassed: false })).toContain("800 from now on");
    expect(limit.look({ waitingMost: 4000, serviceP50Ms: 250, hasPassed: false })).toBeUndefined();
  });
});
