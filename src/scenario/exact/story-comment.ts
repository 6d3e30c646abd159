/** Width of the comment. */
const WIDTH = 100;

/** A story as a YAML comment; empty lines part its paragraphs, and indented lines stay whole. */
export function commentOf(story: string): string {
  return story
    .split("\n")
    .flatMap((line) => wrapped(line))
    .map((line) => `${`# ${line}`.trimEnd()}\n`)
    .join("");
}

/** A paragraph in lines of at most 100 characters; a line that begins with blanks stays whole. */
function wrapped(line: string): string[] {
  if (line.startsWith(" ") || line.length <= WIDTH) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
