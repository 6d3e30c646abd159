import { describe, expect, it } from "vitest";
import { type AccountLists, type PageQuery, Recording } from "../../src/store/index.js";
import { meta } from "./samples.js";

type Filters = PageQuery["filters"];

function lists(): AccountLists {
  return Recording.create(":memory:", meta).prepareToServe().lists;
}

/** The indexes of the list's own table that first, later and earlier pages use. Fails when SQLite has to sort. */
function indexesOf(
  list: AccountLists["messages" | "labelledMessages" | "calls" | "broadcasts"],
  table: string,
  order: string,
  filters: Filters,
): Set<string> {
  const used = new Set<string>();
  for (const cursor of [
    undefined,
    { position: 5, tie: 5, isBackwards: false },
    { position: 5, tie: 5, isBackwards: true },
  ]) {
    const plan = list.plan({ order, filters, cursor, size: 250 });
    expect(plan.join("\n")).not.toContain("TEMP B-TREE FOR ORDER BY");
    const outer = plan.find((step) => new RegExp(`^(SCAN|SEARCH) ${table} `).test(step)) ?? "";
    const index = /USING (?:COVERING )?INDEX (\w+)/.exec(outer)?.[1];
    expect(index, plan.join("\n")).toBeDefined();
    // A later page seeks its start in the index, and does not scan from the beginning.
    if (cursor !== undefined) expect(outer).toMatch(/^SEARCH/);
    used.add(index ?? "");
  }
  return used;
}

describe("a page of messages is read from one index, with any filter", () => {
  it.each<[string, Filters, string, "created" | "modified"]>([
    ["none", [["kept"]], "message_kept", "created"],
    ["id", [["id", 7], ["kept"]], "message_id", "created"],
    ["broadcast", [["broadcast", 7], ["kept"]], "message_broadcast", "created"],
    ["contact", [["contact", 7], ["kept"]], "message_contact", "created"],
    ["inbox", [["inbox"]], "message_inbox", "created"],
    ["flows", [["flows"]], "message_flows", "created"],
    ["archived", [["archived"]], "message_archived", "created"],
    ["outbox", [["outbox"]], "message_outbox", "created"],
    ["sent", [["sent"]], "message_sent", "created"],
    ["failed", [["failed"]], "message_failed", "created"],
    ["incoming", [["incoming"]], "message_incoming", "modified"],
    ["before", [["before", 7], ["kept"]], "message_kept", "created"],
    ["after", [["after", 7], ["kept"]], "message_kept", "created"],
    ["incoming, before", [["incoming"], ["modifiedBefore", 7]], "message_incoming", "modified"],
    ["incoming, after", [["incoming"], ["modifiedAfter", 7]], "message_incoming", "modified"],
    ["sent, after", [["sent"], ["after", 7]], "message_sent", "created"],
    ["contact, after", [["contact", 7], ["after", 7], ["kept"]], "message_contact", "created"],
  ])("%s", (_name, filters, index, order) => {
    expect(indexesOf(lists().messages, "message", order, filters)).toEqual(new Set([index]));
  });

  it("label and archived", () => {
    const filters: Filters = [["labelArchived", 7], ["archived"]];
    expect(indexesOf(lists().labelledMessages, "message_label", "created", filters)).toEqual(
      new Set(["message_label_label"]),
    );
  });

  it("label with a folder, a time or a contact", () => {
    const { labelledMessages } = lists();
    for (const more of [[], [["inbox"]], [["after", 7]], [["contact", 7]]] as Filters[]) {
      const filters: Filters = [["label", 7], ["kept"], ...more];
      expect(indexesOf(labelledMessages, "message_label", "created", filters)).toEqual(
        new Set(["message_label_label"]),
      );
    }
  });
});

describe("a page of calls or broadcasts is read from one index", () => {
  it.each<[string, Filters, string]>([
    ["none", [], "call_created"],
    ["id", [["id", 7]], "call_id"],
    ["contact", [["contact", 7]], "call_contact"],
    ["before", [["before", 7]], "call_created"],
    ["after", [["after", 7]], "call_created"],
  ])("calls: %s", (_name, filters, index) => {
    expect(indexesOf(lists().calls, "call", "created", filters)).toEqual(new Set([index]));
  });

  it("broadcasts", () => {
    for (const filters of [[], [["before", 7]], [["after", 7]]] as Filters[]) {
      expect(indexesOf(lists().broadcasts, "broadcast", "created", filters)).toEqual(new Set(["broadcast_created"]));
    }
  });
});
