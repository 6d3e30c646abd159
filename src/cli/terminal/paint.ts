import { Chalk, type ChalkInstance } from "chalk";
import type { Output } from "./io.js";

/** Colours that the stream supports. */
export function paint(output: Output): ChalkInstance {
  return new Chalk({ level: output.colours });
}

/** Writes a text coloured by `paint`. External strings in it must be escaped by `onOneLine` or `plain`. */
export function writePainted(output: Output, text: string): void {
  if (output.painted === undefined) output.write(text);
  else output.painted(text);
}
