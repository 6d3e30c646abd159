import { Chalk, type ChalkInstance } from "chalk";
import type { Output } from "./io.js";

/** Colours as far as the stream understands them. */
export function paint(output: Output): ChalkInstance {
  return new Chalk({ level: output.colours });
}
