import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectDefinition, readDefinition } from "../../src/flow/index.js";
import { handset } from "./terminal.js";

const folder = "scenarios/flows";
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

describe("scenarios/flows/", () => {
  it("loads without a problem", async () => {
    const { code, stderr } = await handset(["check", ...files.map((file) => `${folder}/${file}`)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.each(files)("%s has only flows that run completely", (file) => {
    const { flows } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as { flows: unknown[] };
    expect(flows.flatMap((flow) => inspectDefinition(readDefinition(flow)))).toEqual([]);
  });
});
