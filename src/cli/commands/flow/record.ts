import { existsSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Command } from "commander";
import { LabError } from "../../../base/index.js";
import { accountFilesOf, conversationScenario } from "../../../inspect/index.js";
import { openRecording } from "../../../store/index.js";
import { list } from "../../options/values.js";
import type { Io } from "../../terminal/io.js";

interface Flags {
  readonly person: string;
  readonly data: readonly string[];
  readonly output?: string;
}

/** `handset flow record`: a conversation of a recording as a scenario. */
export function recordCommand(io: Io): Command {
  return new Command("record")
    .summary("write a conversation of a recording as a scenario that tests it")
    .description(
      "Writes the conversation of a person with the service as a scenario. Texts and calls of the person become steps; " +
        "texts to the person and saved results of flows become expectations. The scenario passes until the flow changes.",
    )
    .argument("<recording>", "file of the recording, or the database of handset serve --db, also while it is served")
    .requiredOption("--person <person>", "the person: farmers/3, or a phone number")
    .option("--data <file>", "account file of the scenario; repeatable (default: those of the recording)", list, [])
    .option("-o, --output <file>", "file of the scenario (default: stdout)")
    .addHelpText(
      "after",
      "\nExample:\n  handset flow record recordings/day-1.db --person farmers/3 -o talk.yaml && handset run talk.yaml",
    )
    .action((path: string, { person, data, output }: Flags) => {
      const reader = openRecording(path);
      try {
        const files = data.length > 0 ? data : accountFilesOf(reader);
        const folder = output === undefined ? "." : dirname(output);
        for (const file of files) {
          if (!existsSync(file)) io.stderr.write(`handset: there is no account file ${file}: name it with --data\n`);
        }
        const paths = files.map((file) => relative(resolve(folder), resolve(file)));
        const { text, steps } = conversationScenario(reader, { person, data: paths });
        if (output === undefined) {
          io.stdout.write(text);
          return;
        }
        writeText(output, text);
        io.stdout.write(`${output}: ${steps} ${steps === 1 ? "step" : "steps"}; play it: handset run ${output}\n`);
      } finally {
        reader.close();
      }
    });
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    const message = isThere ? `${file} exists already` : `the scenario cannot be written to ${file}`;
    throw new LabError("not-written", message, { cause: error });
  }
}
