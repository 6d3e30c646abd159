import type { OrderData } from "../../wire/index.js";
import type { Resolver } from "./resolver.js";

/** Carries out a request in an account's data as a client would. Skips it when a recipient or reference is unknown. */
export function loadOrder(order: OrderData, resolver: Resolver): void {
  switch (order.kind) {
    case "broadcast":
      return loadBroadcast(order, resolver);
    case "start":
      return loadStart(order, resolver);
    case "event": {
      const event = resolver.account.resthooks.addEvent(order.resthook, order.data);
      if (event === undefined)
        return resolver.addProblem(`an event is left out: there is no resthook ${order.resthook}`);
      return resolver.countAdded("orders");
    }
    default:
      order satisfies never;
  }
}

function loadBroadcast(order: Extract<OrderData, { kind: "broadcast" }>, resolver: Resolver): void {
  const named = recipients(order, "a broadcast", resolver);
  if (named === undefined) return;
  const [first = "base"] = Object.keys(order.text);
  const { primaryLanguage } = resolver.account.organisation.get();
  const isWritten = primaryLanguage !== null && Object.hasOwn(order.text, primaryLanguage);
  const baseLanguage = isWritten ? primaryLanguage : Object.hasOwn(order.text, "base") ? "base" : first;
  resolver.account.broadcasts.add({ text: order.text, baseLanguage, urns: [], channel: null, ...named });
  resolver.countAdded("orders");
}

function loadStart(order: Extract<OrderData, { kind: "start" }>, resolver: Resolver): void {
  const flow = resolver.flow(order.flow)?.id;
  if (flow === undefined) return resolver.addProblem(`a flow start is left out: there is no flow ${order.flow}`);
  const named = recipients(order, `the start of '${order.flow}'`, resolver);
  if (named === undefined) return;
  resolver.account.flowStarts.add({
    flow,
    ...named,
    restartsParticipants: true,
    excludesActive: false,
    extra: null,
    embeddedData: null,
  });
  resolver.countAdded("orders");
}

/** Resolves all groups and contacts; undefined when one is unknown, which adds a problem. */
function recipients(
  named: { readonly groups: readonly string[]; readonly contacts: readonly string[] },
  called: string,
  resolver: Resolver,
): { readonly groups: number[]; readonly contacts: number[] } | undefined {
  const groups: number[] = [];
  for (const reference of named.groups) {
    const group = resolver.group(reference);
    if (group === undefined) return resolver.addProblem(`${called} is left out: there is no group ${reference}`);
    groups.push(group.id);
  }
  const contacts: number[] = [];
  for (const reference of named.contacts) {
    const contact = resolver.contact(reference);
    if (contact === undefined) return resolver.addProblem(`${called} is left out: there is no contact ${reference}`);
    contacts.push(contact.row);
  }
  return { groups, contacts };
}
