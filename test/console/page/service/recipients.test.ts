import { expect, it } from "vitest";
import { recipientCount, recipientWords } from "../../../../src/console/page/service/recipients.js";
import { smsLength } from "../../../../src/console/page/service/segments.js";

it("recipients are counted, and several groups are an upper bound", () => {
  const words = (groups: readonly number[], contacts: readonly string[] = []): string =>
    recipientWords(
      recipientCount(
        groups.map((count) => ({ count })),
        contacts,
      ),
    );
  expect(words([])).toBe("nobody");
  expect(words([0])).toBe("nobody");
  expect(words([1])).toBe("1 contact");
  expect(words([1200])).toBe("1,200 contacts");
  expect(words([30, 12])).toBe("up to 42 contacts");
  expect(words([], ["a", "b", "a"])).toBe("2 contacts");
  expect(words([30], ["a"])).toBe("up to 31 contacts");
});

it.each([
  ["", 0, 0, "GSM-7"],
  ["Hello", 5, 1, "GSM-7"],
  ["a".repeat(160), 160, 1, "GSM-7"],
  ["a".repeat(161), 161, 2, "GSM-7"],
  ["€".repeat(80), 80, 1, "GSM-7"],
  ["€".repeat(81), 81, 2, "GSM-7"],
  ["ж".repeat(70), 70, 1, "UCS-2"],
  ["ж".repeat(71), 71, 2, "UCS-2"],
  ["😀".repeat(35), 35, 1, "UCS-2"],
  // 33 emoji and one unit that is left over fit into a part of 67.
  ["😀".repeat(67), 67, 3, "UCS-2"],
])("the length of %j", (text, characters, segments, encoding) => {
  expect(smsLength(text)).toEqual({ characters, segments, encoding });
});
