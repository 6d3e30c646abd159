import { performance } from "node:perf_hooks";
import type { WebSocket } from "ws";
import { LiveSession } from "./live-session.js";
import type { LivePicture } from "./live-pictures.js";
import type { LiveSource } from "./live-source.js";
import type { StreamHello, StreamWish } from "./protocol/index.js";
import { StreamClient } from "./stream-client.js";

/** Time between two frames. Wall milliseconds. */
const FRAME_MS = 250;

/** Frames take at most 1/20 of the lab's time, so a huge fleet has fewer frames; without clients 1/100. */
const TIME_SHARE = { seen: 20, unseen: 100 };

/** Frames continue for this time after the last client has disconnected, so that it can resume. */
const LINGER_MS = 15_000;

/** Time between two frames without clients, for the series and the pictures. Wall milliseconds. */
const UNSEEN_MS = 1000;

/** Most clients; further ones are refused. */
const CLIENTS_MAX = 50;

/** The live stream: one sampler for all clients. Without clients it does not run, unless the lab keeps its history. */
export class LiveStream<H> {
  readonly #lab: LiveSource<H>;
  readonly #clients = new Set<StreamClient>();
  /** The sockets of clients that want the traffic. */
  readonly #wantTraffic = new Set<WebSocket>();
  #session: LiveSession<H> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #aloneSince: number | undefined;
  #isClosed = false;

  constructor(lab: LiveSource<H>) {
    this.#lab = lab;
    if (!lab.keepsHistory) return;
    void lab.ready.then(() => {
      if (!this.#isClosed) this.#begin();
    });
  }

  /** Sends the lab's frames to an admitted client, until its socket closes. */
  async add(socket: WebSocket, resume: StreamHello["resume"]): Promise<void> {
    await this.#lab.ready;
    if (this.#isClosed || socket.readyState !== socket.OPEN) return;
    if (this.#clients.size >= CLIENTS_MAX) return socket.close(1013, "too many pages are open");
    const client = new StreamClient(socket);
    this.#clients.add(client);
    socket.once("close", () => this.#clients.delete(client));
    client.begin(this.#begin(), resume);
  }

  /** Pictures of the current lab, oldest first; empty: it was not sampled. */
  get pictures(): readonly LivePicture[] {
    return this.#session?.isStale === false ? this.#session.pictures : [];
  }

  /** Sends the traffic in later frames, to all clients, while one of them wants it. */
  wish(socket: WebSocket, { traffic }: StreamWish): void {
    if (traffic) this.#wantTraffic.add(socket);
    else this.#wantTraffic.delete(socket);
    this.#session?.sampleTraffic(this.#wantTraffic.size > 0);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** The current session. A stale one is replaced. */
  #begin(): LiveSession<H> {
    if (this.#session?.isStale === true) this.#stop();
    this.#aloneSince = undefined;
    this.#session ??= new LiveSession(this.#lab);
    if (this.#timer === undefined) this.#schedule(FRAME_MS);
    return this.#session;
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => this.#tick(), ms).unref();
  }

  #tick(): void {
    const nowMs = performance.now();
    if (this.#clients.size > 0) this.#aloneSince = undefined;
    else this.#aloneSince ??= nowMs;
    const isUnseen = this.#aloneSince !== undefined && nowMs - this.#aloneSince > LINGER_MS;
    if (isUnseen && !this.#lab.keepsHistory) return this.#stop();
    if (this.#session?.isStale === true) this.#endSession();
    const session = (this.#session ??= new LiveSession(this.#lab));
    session.sampleTraffic(this.#wantTraffic.size > 0);
    const frame = session.next();
    for (const client of this.#clients) client.sendNext(session, frame, nowMs);
    const [leastMs, share] = isUnseen ? [UNSEEN_MS, TIME_SHARE.unseen] : [FRAME_MS, TIME_SHARE.seen];
    this.#schedule(Math.max(leastMs, share * (performance.now() - nowMs)));
  }

  #endSession(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#endSession();
  }
}
