import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handset } from "./terminal.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flow-migrate-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function written(content: unknown): string {
  const file = join(folder, "export.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const greeting = {
  base_language: "eng",
  flow_type: "F",
  metadata: { uuid: "a5b1c6d2-6f53-4a0c-9d0e-0d7a5f8f3f01", name: "Greeting" },
  entry: "0b6ac8a4-86f5-4d7f-8a53-0f2f6c6b8e02",
  action_sets: [
    {
      uuid: "0b6ac8a4-86f5-4d7f-8a53-0f2f6c6b8e02",
      exit_uuid: "5c1f6b0e-2a44-4a4e-8c8f-5f7f0c0a9c03",
      destination: null,
      actions: [
        {
          type: "reply",
          uuid: "d1f2f9a0-6d9e-4a53-b1f4-71f0a3f7ee04",
          msg: { eng: "Hello @contact.first_name" },
          media: { eng: "image:maps/clinic.png" },
        },
      ],
    },
  ],
  rule_sets: [],
};

describe("handset flow migrate", () => {
  it("prints an export in native form, from a file or from stdin", async () => {
    const all = { version: "11.12", site: "https://lab.test", flows: [greeting], campaigns: [], triggers: [] };
    const fromFile = await handset(["flow", "migrate", written(all)]);
    expect({ code: fromFile.code, stderr: fromFile.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(fromFile.stdout)).toMatchObject({
      version: "13",
      flows: [
        {
          name: "Greeting",
          spec_version: "13.0.0",
          nodes: [
            {
              actions: [
                {
                  type: "send_msg",
                  uuid: "d1f2f9a0-6d9e-4a53-b1f4-71f0a3f7ee04",
                  text: "Hello @contact.first_name",
                  attachments: ["image:https://lab.test/maps/clinic.png"],
                },
              ],
            },
          ],
        },
      ],
    });
    const fromStdin = await handset(["flow", "migrate", "-"], { stdin: JSON.stringify(all, undefined, 1) });
    expect(fromStdin.stdout).toBe(fromFile.stdout);
  });

  it("prints a single definition, with media of another site", async () => {
    const { stdout } = await handset(["flow", "migrate", written(greeting), "--media-base", "https://media.test/"]);
    expect(JSON.parse(stdout)).toMatchObject({
      name: "Greeting",
      nodes: [{ actions: [{ attachments: ["image:https://media.test/maps/clinic.png"] }] }],
    });
  });

  it("says which part has no native form, and ends with 2", async () => {
    const broken = { ...greeting, action_sets: [{ uuid: "s1", actions: [{ uuid: "a1", type: "teleport" }] }] };
    const { code, stdout, stderr } = await handset(["flow", "migrate", written({ version: 10, flows: [broken] })]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      "export.json: flows[0] 'Greeting', action set s1, action a1: no native form for the action type 'teleport'",
    );
  });

  it.each([
    ["not JSON", "{", "not JSON"],
    ["no export", { flows: 3 }, "not an export: it has no flows"],
    ["an old version", { version: 2, flows: [greeting] }, "version 2 is older than 3"],
    ["another kind of flow", { version: 13, flows: [{ name: "?" }] }, "flows[0] '?': not a flow definition"],
  ])("refuses %s", async (_what, content, reason) => {
    const { code, stderr } = await handset(["flow", "migrate", written(content)]);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it("refuses a file that does not exist", async () => {
    const { code, stderr } = await handset(["flow", "migrate", join(folder, "none.json")]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no file");
  });
});
