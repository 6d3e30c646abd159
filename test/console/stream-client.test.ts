import { expect, it } from "vitest";
import type { EncodedFrame } from "../../src/console/frame-ring.js";
import { type ClientSocket, StreamClient } from "../../src/console/stream-client.js";

const MIB = 1024 * 1024;

/** A socket whose reader is as slow as the test says. */
class TestSocket implements ClientSocket {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  isTerminated = false;
  readonly sent: string[] = [];

  send(data: Buffer): void {
    this.sent.push(String(data));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

const session = { id: "a", snapshot: () => frame("snapshot", 0), missedAfter: () => undefined };

function frame(text: string, number: number): EncodedFrame {
  return { frame: number, bytes: Buffer.from(`${text} ${number}`) };
}

function newClient(): { readonly socket: TestSocket; readonly pass: (number: number, nowMs: number) => void } {
  const socket = new TestSocket();
  const client = new StreamClient(socket);
  client.begin(session, undefined);
  return { socket, pass: (number, nowMs) => client.sendNext(session, frame("delta", number), nowMs) };
}

it("a client that does not keep up misses frames, and gets a snapshot when it has read what waited", () => {
  const { socket, pass } = newClient();
  pass(1, 250);
  socket.bufferedAmount = 2 * MIB;
  pass(2, 500);
  pass(3, 750);
  socket.bufferedAmount = 0.5 * MIB;
  pass(4, 1000);
  expect(socket.sent).toEqual(["snapshot 0", "delta 1"]);
  socket.bufferedAmount = 0;
  pass(5, 1250);
  pass(6, 1500);
  expect(socket.sent.slice(2)).toEqual(["snapshot 0", "delta 6"]);
});

it("a client that reads nothing for half a minute is disconnected", () => {
  const { socket, pass } = newClient();
  socket.bufferedAmount = 2 * MIB;
  pass(1, 0);
  pass(2, 30_000);
  expect(socket.isTerminated).toBe(false);
  pass(3, 30_001);
  expect(socket.isTerminated).toBe(true);
  expect(socket.sent).toEqual(["snapshot 0"]);
});

it("a client with more bytes waiting than the end of patience is disconnected at once", () => {
  const { socket, pass } = newClient();
  socket.bufferedAmount = 65 * MIB;
  pass(1, 0);
  pass(2, 250);
  expect(socket.isTerminated).toBe(true);
});
