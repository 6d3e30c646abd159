import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./command.js";
import { printTable } from "./table.js";

const QUESTIONS = 10;
const PEOPLE = 10_000;
const TARGET_S = 60;

/** An export of one flow: ten questions for numbers, each asked again until it gets one. */
function tenQuestions(): object {
  const uuid = (kind: number, index: number): string =>
    `0000000${kind}-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const nodes = Array.from({ length: QUESTIONS }, (_, index) => [
    {
      uuid: uuid(1, index),
      actions: [{ uuid: uuid(3, index), type: "send_msg", text: `Question ${index + 1}, @contact.name: how many?` }],
      exits: [{ uuid: uuid(4, index), destination_uuid: uuid(2, index) }],
    },
    {
      uuid: uuid(2, index),
      actions: [],
      router: {
        type: "switch",
        operand: "@input.text",
        result_name: `Answer ${index + 1}`,
        wait: { type: "msg" },
        cases: [{ uuid: uuid(5, index), type: "has_number", arguments: [], category_uuid: uuid(6, index) }],
        categories: [
          { uuid: uuid(6, index), name: "Number", exit_uuid: uuid(8, index) },
          { uuid: uuid(7, index), name: "Other", exit_uuid: uuid(9, index) },
        ],
        default_category_uuid: uuid(7, index),
      },
      exits: [
        { uuid: uuid(8, index), destination_uuid: uuid(1, index + 1) },
        { uuid: uuid(9, index), destination_uuid: uuid(1, index) },
      ],
    },
  ]).flat();
  const thanks = {
    uuid: uuid(1, QUESTIONS),
    actions: [
      { uuid: uuid(3, QUESTIONS), type: "send_msg", text: "Thank you: @(results.answer_1 + results.answer_2)" },
    ],
    exits: [{ uuid: uuid(4, QUESTIONS), destination_uuid: null }],
  };
  const flow = { uuid: uuid(0, 1), name: "Ten questions", spec_version: "13.1.0", language: "eng", type: "messaging" };
  return { version: "13", flows: [{ ...flow, nodes: [...nodes, thanks] }], campaigns: [], triggers: [] };
}

const account = `account: { name: Poll }
definitions: ten-questions.json
groups: [All]
people: [{ count: ${PEOPLE}, phone: "+2507811{00000}", groups: [All] }]
orders: [{ start: { flow: Ten questions, groups: All } }]
`;

const scenario = `name: Ten questions
starts: 2026-03-04T06:00:00.000Z
lasts: 6h
data: account.yaml
handsets: { desk: { count: 50, phone: "+2507880{00000}", mains: on } }
people: { farmers: { count: ${PEOPLE}, of: desk, phone: "+2507811{00000}", answers: { after: 5s..60s } } }
`;

/** 10,000 people answer ten questions over 50 handsets in lockstep, each step recorded. */
export function benchPoll(): void {
  console.log(`Poll: ${PEOPLE} people, ${QUESTIONS} questions, 50 handsets, lockstep, everything recorded\n`);
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    writeFileSync(join(folder, "ten-questions.json"), JSON.stringify(tenQuestions()));
    writeFileSync(join(folder, "account.yaml"), account);
    writeFileSync(join(folder, "poll.yaml"), scenario);
    const measured = ["none", "bundled"].map((receiver) => {
      const startedAt = performance.now();
      const args = ["run", "poll.yaml", "--recording", `${receiver}.db`, "--json", "--quiet", "--no-report"];
      const where = receiver === "none" ? ["--receiver", "none"] : [];
      const child = spawnSync(process.execPath, [command, ...args, ...where], { cwd: folder, encoding: "utf8" });
      if (child.status !== 0) throw new Error(`the poll exited with ${child.status}: ${child.stderr.slice(-500)}`);
      const seconds = (performance.now() - startedAt) / 1000;
      const coverage = spawnSync(process.execPath, [command, "flow", "coverage", `${receiver}.db`, "--json"], {
        cwd: folder,
        encoding: "utf8",
      });
      const runs = Number(/"runs":(\d+)/.exec(coverage.stdout)?.[1] ?? 0);
      return [receiver, runs.toLocaleString("en-US"), `${seconds.toFixed(1)} s`, `${TARGET_S} s`];
    });
    printTable(["receiver", "runs", "start to exit", "target"], measured);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
