import type { Connection } from "../sqlite/connection.js";
import type { AccountTables, FlowCallTable } from "../../account/index.js";
import { boundaryList, boundaryTable } from "./boundaries.js";
import { broadcastList, broadcastTable } from "./broadcasts.js";
import { callList } from "./calls.js";
import { campaignEventList, campaignEventTable } from "./campaign-events.js";
import { campaignFireTable } from "./campaign-fires.js";
import { campaignList, campaignTable } from "./campaigns.js";
import { channelList } from "./channels.js";
import { contactList, contactTable, memberList } from "./contacts.js";
import { fieldList, fieldTable } from "./fields.js";
import { flowSessionTable } from "./flow-sessions.js";
import { flowStartList, flowStartTable } from "./flow-starts.js";
import { flowList, flowTable } from "./flows.js";
import { groupList, groupTable } from "./groups.js";
import { labelList, labelTable } from "./labels.js";
import { labelledMessageList, messageList, messageTable } from "./messages.js";
import { organisationTable, tokenTable } from "./organisation.js";
import { Counter, type SqlWriter } from "./sql-writer.js";
import { resthookEventList, resthookList, resthookTable, subscriberList } from "./resthooks.js";
import { runList, runTable } from "./runs.js";
import { triggerTable } from "./triggers.js";
import { withoutUserInfo } from "../../wire/index.js";

/** The account's tables, to read and write. */
export function accountTables(writer: SqlWriter): AccountTables {
  return {
    boundaries: boundaryTable(writer),
    broadcasts: broadcastTable(writer),
    campaignEvents: campaignEventTable(writer),
    campaignFires: campaignFireTable(writer),
    campaigns: campaignTable(writer),
    contacts: contactTable(writer),
    fields: fieldTable(writer),
    flowCalls: flowCallTable(writer),
    flows: flowTable(writer),
    flowSessions: flowSessionTable(writer),
    flowStarts: flowStartTable(writer),
    groups: groupTable(writer),
    labels: labelTable(writer),
    messages: messageTable(writer),
    organisation: organisationTable(writer),
    resthooks: resthookTable(writer),
    runs: runTable(writer),
    tokens: tokenTable(writer),
    triggers: triggerTable(writer),
  };
}

/** The lists that the API pages through. */
export type AccountLists = ReturnType<typeof accountLists>;

/** The API's lists, on one connection. `labelledMessages` are messages by label. */
export function accountLists(database: Connection) {
  return {
    boundaries: boundaryList(database),
    broadcasts: broadcastList(database),
    calls: callList(database),
    campaignEvents: campaignEventList(database),
    campaigns: campaignList(database),
    channels: channelList(database),
    contacts: contactList(database),
    fields: fieldList(database),
    flows: flowList(database),
    flowStarts: flowStartList(database),
    groups: groupList(database),
    labels: labelList(database),
    labelledMessages: labelledMessageList(database),
    members: memberList(database),
    messages: messageList(database),
    resthookEvents: resthookEventList(database),
    resthooks: resthookList(database),
    resthookSubscribers: subscriberList(database),
    runs: runList(database),
  };
}

const flowCallColumns = `id, contact, run, flow, node, at_ms, effect_at_ms, method, url, body, sent_wall_ms, duration_ms, status, error,
  answer_headers, answer_body, step, redirects`;

/** Answered HTTP calls of flows in SQLite. */
function flowCallTable({ database, write }: SqlWriter): FlowCallTable {
  const add = database.prepare(
    `INSERT INTO flow_call (${flowCallColumns}) VALUES (${flowCallColumns.replaceAll(/[^,]+/g, "?")})`,
  );
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
