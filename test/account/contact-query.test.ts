import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ContactQuery,
  contactQueryLengthMax,
  type ContactQuerySchema,
  contactQueryUses,
  type ContactView,
  formatContactQuery,
  matchesQuery,
  parseContactQuery,
} from "../../src/account/index.js";
import { amina, context, nobody } from "./contact-samples.js";
import { runs } from "../support/effort.js";

const schema: ContactQuerySchema = {
  ...context,
  hasGroup: (group) => ["field staff", "mothers", "drivers"].includes(group.toLowerCase()),
};

function parsed(text: string, against: ContactQuerySchema = schema): ContactQuery {
  const reading = parseContactQuery(text, against);
  if (!reading.ok) throw new Error(`${text}: ${reading.error.column}: ${reading.error.message}`);
  return reading.query;
}

function matches(text: string, contact: ContactView = amina): boolean {
  return matchesQuery(parsed(text), contact, schema);
}

describe("matches", () => {
  it.each([
    // name
    'name = x OR name is "AMINA otieno"',
    "name ~ oti",
    "NAME HAS Amina",
    "name != Bob",
    'name != ""',
    // addresses
    "tel = +254711000222",
    'tel eq "+254 711 000222"',
    "tel = 254711000222",
    "tel = +254722000333",
    "tel ~ 0003",
    "tel != +254711000999",
    'tel != ""',
    "mailto = AMINA@example.org",
    "mailto ~ example",
    "twitterid = 77",
    'viber = ""',
    "urns.tel has 0222",
    "urn = +254711000222",
    "urn = tel:+254711000222",
    "urn ~ example.org",
    'urn != ""',
    // other attributes
    "language = SWA",
    "language != eng",
    `uuid = ${amina.uuid.toUpperCase()}`,
    'group = "field STAFF"',
    "group = Mothers AND group != drivers",
    // fields
    'gender = "f"',
    "Gender is F",
    "gender != M",
    "gender ~ f",
    'gender != ""',
    "age = 34.5",
    "age = 034.50",
    "age > 18",
    "age >= 34.5 AND age <= 34.5",
    "age < 34.5000001",
    "age != 34",
    "home = MOMBASA",
    'home = "Kenya > Mombasa"',
    "home ~ omba",
    "area = likoni AND block is Mtongwe",
    "home != Kisumu",
    "fields.group = a",
    "fields.and ~ both",
    // days, in Nairobi
    "created_on = 2018-03-05",
    "created_on > 04-03-2018",
    "created_on >= 5/3/2018",
    "created_on <= 2018-03-05 AND created_on < 2018-03-06",
    "created_on != 2018-03-04",
    'created_on = "2018-03-04T22:00:00Z"',
    "created_on = 2018-03-04T22:00:00Z",
    "first_dose = 05-03-2018",
    "first_dose > 04.03.18",
    'first_dose != ""',
    // lone values
    "amina",
    "Amina OTIENO",
    '"amina otieno"',
    "711000222",
    "711-000 222",
    "(0711) 000.222 OR amina",
    "+254711",
    "tel:+254711000222",
    "mailto:amina@example.org",
    // combinations
    "age > 18 gender = F",
    "age > 40 OR gender = F AND language = swa",
    "(age > 40 OR gender = F) AND language = swa",
    "gender = M and gender = F or amina",
  ])("%s", (text) => {
    expect(matches(text)).toBe(true);
  });

  it.each([
    "name = Amina",
    "name ~ bob",
    'name = ""',
    "tel = +254711",
    "tel = 0711000222",
    "tel != +254722000333",
    'tel = ""',
    "twitterid = amina_o",
    "viber = 1",
    "urn = tel",
    "urn = mailto:+254711000222",
    "language = eng",
    'language = ""',
    "uuid = a7d2c9f0",
    "group = drivers",
    "group != mothers",
    "gender = male",
    'gender = ""',
    "age > 34.5",
    "age < 5",
    "home = Kisumu",
    "home = Likoni",
    "created_on = 2018-03-04",
    "created_on > 2018-03-05",
    "created_on < 2018-03-05",
    "first_dose > 05-03-2018",
    "bob",
    "999",
    "amina AND bob",
    "(age > 40 OR gender = M) AND language = swa",
  ])("not %s", (text) => {
    expect(matches(text)).toBe(false);
  });
});

describe("a property that is not set", () => {
  const properties = ["name", "tel", "urn", "language", "gender", "age", "first_dose", "home"];

  it.each(properties)("%s is not set", (property) => {
    expect(matches(`${property} = ""`, nobody)).toBe(true);
    expect(matches(`${property} != ""`, nobody)).toBe(false);
  });

  it("every comparison is false but !=", () => {
    for (const query of ["age > 0", "age <= 0", "gender ~ a", "tel = 1", "first_dose < 2100-01-01", "home = Mombasa"]) {
      expect(matches(query, nobody)).toBe(false);
    }
    for (const query of ["age != 0", "gender != a", "tel != 1", "first_dose != 2018-01-01", "group != mothers"]) {
      expect(matches(query, nobody)).toBe(true);
    }
  });

  it("a value that is nothing of its type counts as not set", () => {
    const odd: ContactView = { ...nobody, fields: { age: "young", first_dose: "soon", home: "the moon" } };
    expect(matches('age = "" AND first_dose = "" AND home = ""', odd)).toBe(true);
  });

  it("a key of every object is none of a contact", () => {
    const plain = { ...schema, fields: new Map([["constructor", "text"] as const]) };
    expect(matchesQuery(parsed('constructor = ""', plain), nobody, plain)).toBe(true);
  });
});

describe("is written", () => {
  it.each([
    ["Age>18", "age > 18"],
    ['Name HAS "Joe" ', 'name ~ "Joe"'],
    ["gender is F or GENDER eq M", 'gender = "F" OR gender = "M"'],
    ["a b c", 'name ~ "a" AND name ~ "b" AND name ~ "c"'],
    ["a and b or c", 'name ~ "a" AND name ~ "b" OR name ~ "c"'],
    ["a and (b or (c))", 'name ~ "a" AND (name ~ "b" OR name ~ "c")'],
    ["((a or b) or c)", 'name ~ "a" OR name ~ "b" OR name ~ "c"'],
    ["0788 123-456", "tel ~ 0788123456"],
    ["joe 0788", 'name ~ "joe" AND tel ~ 0788'],
    ["tel:+254711", 'tel = "+254711"'],
    ["urn = MAILTO:x@y", 'mailto = "x@y"'],
    [String.raw`name = "O\"Leary \\ ""x"" \d"`, String.raw`name = "O\"Leary \\ \"x\" \\d"`],
    [String.raw`name = "a\tb"`, 'name = "a\tb"'],
    ["group = mothers", 'group = "mothers"'],
    ["fields.group = x", 'fields.group = "x"'],
    ["fields.age = 1", "age = 1"],
    ["urns.tel = 1", "tel = 1"],
    ["fields.and is 'x'", `fields.and = "'x'"`],
  ])("%s as %s", (text, canonical) => {
    expect(formatContactQuery(parsed(text))).toBe(canonical);
    expect(parsed(canonical)).toEqual(parsed(text));
  });

  const value = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom('"', "\\", "n", "(", " ", "\n", "😀", "tel:") }),
    fc.constant(""),
  );
  const condition = fc.oneof(
    fc.tuple(
      fc.constantFrom("name", "tel", "urn", "gender", "home", "fields.group", "fields.and"),
      fc.constantFrom("=", "!=", "~"),
      value,
    ),
    fc.tuple(fc.constantFrom("age"), fc.constantFrom("=", "!=", ">", "<="), fc.integer().map(String)),
    fc.tuple(fc.constantFrom("created_on", "first_dose"), fc.constantFrom("=", "<", ">="), fc.constant("5-3-18")),
  );
  const text: fc.Arbitrary<string> = fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      condition.map(([name, comparison, sought]) => {
        const isContains = comparison === "~" && sought === "";
        return `${name} ${isContains ? "=" : comparison} "${sought.replace(/["\\]/g, String.raw`\$&`)}"`;
      }),
      fc.tuple(tie("query"), fc.constantFrom(" AND ", " or ", " "), tie("query")).map((parts) => parts.join("")),
      tie("query").map((query) => `(${query})`),
    ),
  })).query;

  it("so that it is read as the same query, which answers alike", () => {
    fc.assert(
      fc.property(text, (written) => {
        const query = parsed(written);
        const canonical = formatContactQuery(query);
        const again = parsed(canonical);
        expect(again).toEqual(query);
        expect(formatContactQuery(again)).toBe(canonical);
        for (const contact of [amina, nobody]) {
          expect(matchesQuery(again, contact, schema)).toBe(matchesQuery(query, contact, schema));
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("is refused", () => {
  it.each([
    ["", 1, "at least one condition"],
    ["   ", 1, "at least one condition"],
    ["agee > 18", 1, "'agee' is no field of contacts. Fields: gender, age,"],
    ["fields.name = x", 1, "'fields.name' is no field"],
    ["urns.age = x", 1, "'urns.age' is no field"],
    ["gender = F AND ag = 1", 16, "'ag' is no field"],
    ["gender > F", 8, "'gender', a text field, cannot be compared with >, only with = != ~"],
    ["age ~ 1", 5, "'age', a numeric field, cannot be compared with ~"],
    ["first_dose has 1", 12, "cannot be compared with ~"],
    ["home < Mombasa", 6, "'home', a state field, cannot be compared with <"],
    ["language ~ s", 10, "'language' cannot be compared with ~, only with = !="],
    ["tel >= 1", 5, "'tel' cannot be compared with >="],
    ["uuid ~ a", 6, "cannot be compared"],
    ["age = old", 7, "expected a number, got 'old'"],
    ["created_on > soon", 14, "expected a date such as 2018-03-05 or 05-03-2018, got 'soon'"],
    ["created_on > 30-02-2018", 14, "expected a date"],
    ["language = english", 12, "a language must be a code of three letters, such as eng, got 'english'"],
    ["group = Pilots", 9, "unknown group 'Pilots'"],
    ['uuid = ""', 8, "'uuid' needs a value"],
    ['group != ""', 10, "needs a value"],
    ['created_on = ""', 14, "needs a value"],
    ['name ~ ""', 8, '~ needs a value; only = "" (not set) and != "" (set) work without one'],
    ['age > ""', 7, "> needs a value"],
    ['""', 1, "~ needs a value"],
    ["name =", 7, "a value must follow '=', got the end"],
    ["name = = x", 8, "a value must follow '=', got '='"],
    ["name is and", 9, "a value must follow 'is', got 'and'"],
    ["= x", 1, "expected a condition, got '='"],
    ["has joe", 1, "expected a condition, got 'has'"],
    ["joe and", 8, "expected a condition, got the end"],
    ["or joe", 1, "expected a condition, got 'or'"],
    ["()", 2, "expected a condition, got ')'"],
    ["(joe", 1, "not closed"],
    ["joe)", 4, "')' has no opening bracket"],
    ["joe ! bob", 5, "'!' has no meaning here"],
    ['name = "joe', 8, "a quoted text is not closed"],
    [String.raw`name = "joe\"`, 8, "a quoted text is not closed"],
    ['"name" = joe', 1, "must have no quotes, got '\"name\"'"],
  ])("%s at column %i", (text, column, message) => {
    const reading = parseContactQuery(text, schema);
    expect(reading).toMatchObject({ ok: false, error: { column, message: expect.stringContaining(message) } });
    if (!reading.ok) expect(reading.error.length).toBeLessThanOrEqual(text.length);
  });

  it("when it asks for hidden addresses", () => {
    const anonymous = { ...schema, isAnonymous: true };
    for (const text of ["tel = 1", "tel ~ 0788", "urn = x", "urn = tel:1", "mailto != x@y.z"]) {
      expect(parseContactQuery(text, anonymous)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining("hidden") },
      });
    }
    expect(formatContactQuery(parsed('tel != "" OR 0788 OR tel:1', anonymous))).toBe(
      'tel != "" OR name ~ 0788 OR name ~ "tel:1"',
    );
  });

  it("when it is too long, as written or in canonical form", () => {
    for (const text of ["a ".repeat(6000), "a ".repeat(4000), "x".repeat(contactQueryLengthMax + 1)]) {
      expect(parseContactQuery(text, schema)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining("at most 10000 characters") },
      });
    }
  });

  it("when its brackets go too deep", () => {
    expect(parseContactQuery(`${"(".repeat(50)}a${")".repeat(50)}`, schema).ok).toBe(true);
    for (const text of [`${"(".repeat(51)}a${")".repeat(51)}`, "(".repeat(10_000)]) {
      expect(parseContactQuery(text, schema)).toMatchObject({
        ok: false,
        error: { column: 51, message: "brackets nest at most 50 levels deep" },
      });
    }
  });

  it("without ever throwing, and with a place inside the text", () => {
    const word = fc.constantFrom(
      "name",
      "age",
      "(",
      ")",
      '"',
      "=",
      "!",
      "~",
      ">",
      "and",
      "or",
      "is",
      "1",
      "\\",
      " ",
      ":",
      "tel",
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: word, maxLength: 40 }), fc.string({ unit: "binary" })), (text) => {
        const reading = parseContactQuery(text, schema);
        if (reading.ok) expect(parsed(formatContactQuery(reading.query))).toEqual(reading.query);
        else {
          expect(reading.error.column).toBeGreaterThanOrEqual(1);
          expect(reading.error.column - 1 + reading.error.length).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("to its end, whatever it is", () => {
    const hostile = ["1 ", "( ", '"" ', "\\", '"\\', "a=", "!=", "9", " ", "x:", "/"].map((unit) =>
      unit.repeat(Math.floor(contactQueryLengthMax / unit.length) - 1),
    );
    for (const text of hostile) {
      // A backtracking search would not terminate on these.
      for (const query of [text, `${text}x`, `name = "${text.slice(0, -12)}`])
        expect(parseContactQuery(query, schema)).toHaveProperty("ok");
    }
  });
});

it("a query says what it looks at", () => {
  const uses = contactQueryUses(parsed("age > 18 AND (fields.group = x OR tel ~ 07 OR group = mothers) AND amina"));
  expect(uses.fields).toEqual(new Set(["age", "group"]));
  expect(uses.schemes).toEqual(new Set(["tel"]));
  expect(uses.attributes).toEqual(new Set(["group", "name"]));
});
