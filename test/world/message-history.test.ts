import { expect, it } from "vitest";
import { MessageHistory } from "../../src/world/handset/message-history.js";

it("a phone's memory of messages is bounded: the oldest that it has forgotten count as never seen", () => {
  const history = new MessageHistory();
  for (let id = 1; id <= 12_000; id++) history.add(id, { isDelivered: true, countMax: 100 });
  const known = Array.from({ length: 12_000 }, (_, index) => index + 1);
  expect(known.filter((id) => history.isForgotten(id))).toHaveLength(10_000);
  expect([history.isForgotten(1_900), history.isForgotten(1_901), history.isForgotten(11_900)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([history.outcomeOf(11_900), history.outcomeOf(11_901)]).toEqual([undefined, "delivered"]);
});
