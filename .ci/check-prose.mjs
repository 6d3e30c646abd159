// Reports phrases that readers of this code had to read twice, in comments, messages, test titles and documentation, with the
// standard wording for each. `npm run prose` runs it on the repository; `node .ci/check-prose.mjs FILE…` on some files.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A phrase as a regular expression (a space stands for any gap between words), and the wording to use in its place. */
const PHRASES = [
  ["whoever|whomever", "name the role: the caller, the client, the writer"],
  ["so many", "the number or its name: `count`, `n phones`, `this many`"],
  ["so much", "the amount, or `this much`"],
  ["(?:go|goes|going|gone|went) on with", "continue (a database), resume (a run)"],
  ["gone through|went through|goes through again", "re-executed, replayed, searched, checked"],
  ["what (?:comes|has come|came) of", "the result, the outcome"],
  ["comes of it", "results, follows"],
  ["(?:is|are|was|were|be|been|being) told(?: of)?", "receives, learns; or name who calls, sends, notifies"],
  ["as of", "as in, like; for a date: since"],
  ["all the same", "still, equal, identical"],
  ["cannot be had", "is not available, is not possible"],
  ["(?:is|are) (?:nothing|none) (?:that|which)", "say what it is, or `is not`"],
  ["anew", "again"],
  ["by the batch", "in batches"],
  ["the wall's(?: clock)?", "the wall clock's, wall time"],
  ["brought about|brings? about|bringing about", "cause"],
  ["takes in", "receives, accepts"],
  ["thereby|therein|thereof|wherein|whereof|whereby|whence|hereof|lest", "two sentences, or `in which`, `so that`"],
  ["what is to come", "future, pending"],
  ["(?:come|comes|came|coming) to (?:its|an|their) end", "end, finish"],
  ["(?:come|comes|came|coming) into being", "is created"],
  ["(?:of )?its doing", "what it did, its effect"],
  ["taken back|takes back|take back", "withdrawn, rolled back"],
  ["to be called when", "Call it after …"],
  ["relive|relives|relived|reliving", "re-execute"],
  ["mend|mends|mended", "fix, correct, repair"],
  ["in one go", "in one call, in one transaction"],
  ["in vain", "without effect, unsuccessfully"],
  ["over again", "again"],
  ["a second time", "twice, again"],
  ["glance|glances", "check"],
  ["upon", "on"],
  ["what it comes to", "the total, the result"],
  ["troupe|whatsoever|howsoever|aforementioned", "the plain word"],
  ["(?:goes on|going on|went on|gone on|go on)(?! (?:to|air|a|feeding))", "continue, resume; for time: advance"],
  ["at hand", "available, present, known; or name it"],
  ["(?:its|the|their|an|another) other end", "the person, the peer, the destination"],
  ["as (?:it|they) (?:stands?|stood)", "current, unchanged"],
  ["how (?:it|they|the [a-z]+|a [a-z]+) stands?", "the state, the provisional verdict"],
  ["what is so|where it is so|that is so|where that is so", "what is true, if this is true"],
  ["what there is of", "the existing part"],
  ["(?:does|do|did) not hold(?! (?:a|an|the|it|its|up) )", "is not met, fails, does not contain"],
  ["holds? (?:about|good|true)", "can take about, is true"],
  ["has to hold|have to hold|what holds", "condition, expectation"],
  ["cannot stand|stands? here|stands? for good", "is not allowed, is stopped"],
  ["nobody's|somebody's", "of no one; or name the owner"],
  ["eyes of the room", "the audience"],
];

/** Between two words: a space, a line break with the next line's comment sign, or the seam of two joined strings. */
const GAP = String.raw`(?:\s+(?:(?:\*|//|#|--|>)\s+)?|\s*["'\`]\s*\+\s*["'\`]\s*)`;

const PATTERNS = PHRASES.map(([phrase, instead]) => ({
  pattern: new RegExp(String.raw`(?<![\w-])(?:${phrase.replaceAll(" ", GAP)})(?![\w-])`, "gi"),
  instead,
}));

const READ = /\.(?:ts|tsx|mts|mjs|js|css|html|sql|yaml|md)$/;
/** Test input. */
const UNCHANGEABLE = /^test\/(?:scenario\/broken|.*\/fixtures)\//;

function filesOfRepository() {
  const roots = ["src", "test", "bench", "docs", "scenarios", "README.md", "CHANGELOG.md"];
  const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...roots], {
    encoding: "utf8",
  });
  return tracked.split("\n").filter((file) => READ.test(file) && !UNCHANGEABLE.test(file));
}

/** A message that `test/scenario/broken` pins word for word, and SQL. */
const PINNED = ["export it anew", "message_label AS of"];

/** Released sections of the changelog are history. */
function checkedPart(file, text) {
  if (file !== "CHANGELOG.md") return text;
  const released = [...text.matchAll(/^## /gm)][1];
  return released === undefined ? text : text.slice(0, released.index);
}

function findPhrases(file, text) {
  const checked = PINNED.reduce((rest, pinned) => rest.replaceAll(pinned, " ".repeat(pinned.length)), text);
  const found = PATTERNS.flatMap(({ pattern, instead }) =>
    [...checked.matchAll(pattern)].map(({ 0: phrase, index }) => ({ phrase, index, instead })),
  );
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ phrase, index, instead }) => {
      const before = text.slice(0, index).split("\n");
      const shown = phrase.replaceAll(/[\s*/#+"'`>-]+/g, (gap) => (gap.includes("\n") ? " " : gap));
      return `${file}:${before.length}:${before.at(-1).length + 1}: "${shown}": write instead: ${instead}`;
    });
}

const named = process.argv.slice(2);
const problems = (named.length > 0 ? named : filesOfRepository()).flatMap((file) =>
  findPhrases(file, checkedPart(file, readFileSync(file, "utf8"))),
);
for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.error(`${problems.length} phrases to reword`);
  process.exitCode = 1;
}
