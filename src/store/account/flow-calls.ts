import type { FlowCallTable } from "../../account/index.js";
import { withoutUserInfo } from "../../wire/index.js";
import { Counter, type SqlWriter } from "./sql-writer.js";

const columns = `id, contact, run, flow, node, at_ms, effect_at_ms, method, url, body, sent_wall_ms, duration_ms, status, error,
  answer_headers, answer_body, step, redirects`;

/** Answered HTTP calls of flows in SQLite. */
export function flowCallTable({ database, write }: SqlWriter): FlowCallTable {
  const add = database.prepare(`INSERT INTO flow_call (${columns}) VALUES (${columns.replaceAll(/[^,]+/g, "?")})`);
  const ids = new Counter(database, "flow_call");
  return {
    nextId: () => ids.next(),
    put({ id, origin: { contact, run, flow, node }, atMs, effectAtMs, method, url, body, answer }) {
      const { sentWallMs = null, durationMs, status, error, headers, body: answerBody, step = null } = answer;
      const { redirects = [] } = answer;
      const hops = redirects.length === 0 ? null : JSON.stringify(redirects.map(withoutUserInfo));
      const call = [id, contact, run, flow, node, atMs, effectAtMs, method, withoutUserInfo(url), body];
      write(add, ...call, sentWallMs, durationMs, status, error, headers, answerBody, step, hops);
    },
  };
}
