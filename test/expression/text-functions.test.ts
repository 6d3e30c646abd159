import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageOf, textOf } from "./evaluated.js";

describe("functions of text", () => {
  it.each([
    ["char(233)", "é"],
    ["char(-1)", "\ufffd"],
    ["char(55296)", "\ufffd"],
    ['code("étude")', "233"],
    ['code("")', "ERROR"],
    ['lower("ÀB Σ İ")', "àb σ i"],
    ['upper("straße àé")', "STRAßE ÀÉ"],
    ['title("MARIE-claire o\'brien 3rd été_x")', "Marie-Claire O'Brien 3rd Été_x"],
    ["title(null)", ""],
    [String.raw`clean("a\nb\tc\u200dd")`, "abcd"],
    ['"[" & trim("\t a b ") & "]"', "[a b]"],
    ['trim("..a..", ".")', "a"],
    ['trim_left("..a..", ".,")', "a.."],
    ['trim_right("..a..", ".")', "..a"],
    ['"[" & trim_left(" a ") & trim_right(" a ") & "]"', "[a  a]"],
    ['text_slice("pa🍌ya", 2)', "🍌ya"],
    ['text_slice("pa🍌ya", 1, 3)', "a🍌"],
    ['text_slice("papaya", -3, -1)', "ay"],
    ['text_slice("papaya", 4, 2)', ""],
    ['text_slice("papaya", -20, 2)', "pa"],
    ['text_slice("papaya", 1, null)', "ERROR"],
    ['text_length("pa🍌ya")', "5"],
    ["text_length(true)", "4"],
    ['text_compare("b", "a") & text_compare("a", "a") & text_compare("a", "ab")', "10-1"],
    ['text_compare("\uffee", "😀")', "-1"],
    ['repeat("ab", 3)', "ababab"],
    ['repeat("ab", -1)', "ERROR"],
    ['replace("one two one", "one", "1")', "1 two 1"],
    ['replace("one two one", "one", "1", 1)', "1 two one"],
    ['replace("a.b.c", ".", "$&")', "a$&b$&c"],
    ['replace("ab", "", "-")', "-a-b-"],
    ['replace("ab", "", "-", 2)', "-a-b"],
    ['replace("ab", "a", "b", 0)', "ab"],
    [String.raw`regex_match("Born 1999-05", "(\d+)-(\d+)", 2)`, "05"],
    ['regex_match("Line\nTWO", "^two$")', "TWO"],
    ['regex_match("abc", "(x)?b", 1)', ""],
    ['regex_match("abc", "z")', "ERROR"],
    ['regex_match("abc", "(")', "ERROR"],
    ['regex_match("abc", "(?=b)")', "ERROR"],
    ["percent(0.375)", "38%"],
    ["percent(-0.001)", "0%"],
    [`url_encode("é! ('*')~")`, "%C3%A9%21%20%28%27%2A%27%29~"],
    [
      'html_decode("&lt;b&gt; &amp;amp; &#233;&#xE9;&eacute;&nbsp;&euro; &unknown; &copy2")',
      "<b> &amp; ééé € &unknown; ©2",
    ],
    ['html_decode("&#150;&#0;&#99999999;")', "–\ufffd\ufffd"],
  ])("%s is %s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });

  it("slice a text as its characters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z😀é]{0,9}$/u), fc.integer({ min: -9, max: 9 }), (text, start) => {
        const from = start < 0 ? Math.max(0, Array.from(text).length + start) : start;
        expect(textOf(`text_slice("${text}", ${start})`)).toBe(Array.from(text).slice(from).join(""));
      }),
    );
  });

  it("encode what decodeURIComponent decodes", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^"\\\n]*$/u), (text) => {
        expect(decodeURIComponent(textOf(`url_encode("${text}")`))).toBe(text);
      }),
    );
  });
});

describe("functions of words", () => {
  it.each([
    [`split("it's 3 o'clock, +1 ☀")`, "[it's, 3, o'clock, +, 1, ☀]"],
    ['split("a;b;;c", ";")', "[a, b, c]"],
    ['split("a;b,c", ",;")', "[a, b, c]"],
    ['split("")', "[]"],
    ['split("a b", "")', "[a, b]"],
    ['word("un deux trois", 1)', "deux"],
    ['word("un deux trois", -1)', "trois"],
    ['word("un, deux", 1, ",")', " deux"],
    ['word("un", 1)', "ERROR"],
    ['word("un", -2)', "ERROR"],
    ['word_count("un deux-trois")', "3"],
    ['word_count("un deux-trois", " ")', "2"],
    ['word_slice("a b c d", 1, 3)', "b c"],
    ['word_slice("a b c d", 1, 0)', "b c d"],
    ['word_slice("a-b-c", 1, -1, "-")', "b c"],
    ['word_slice("a b", 5)', ""],
    ['word_slice("a b", -1)', "ERROR"],
    ['word_slice("a b c", 2, 1)', "ERROR"],
    ['remove_first_word("  join  red team!")', "red team!"],
    ['remove_first_word("join")', ""],
    ['remove_first_word("a a b")', "a b"],
    ['field("x;y; z ", 2, ";")', "z"],
    ['field("x  y z", 1, " ")', "y"],
    ['field("xyz", 1, "")', "y"],
    ['field("x;y", 9, ";")', ""],
    ['field("x;y", -1, ";")', "ERROR"],
    ['read_chars("+250788")', "2 5 0 , 7 8 8"],
    ['read_chars("abcd")', "a b c d"],
    ['read_chars("ab")', "a , b"],
  ])("%s is %s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });

  it("say how many words there are", () => {
    expect(messageOf('word("a b", 7)')).toBe(
      "error calling word(...): index 7 is out of range for the number of words 2",
    );
  });
});
