import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportFormats } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat } from "./support.js";

/** A receiver that notes the secret headers, and a scenario file that sends them. One secret is escaped in the file. */
async function guarded(): Promise<{ folder: string; file: string; url: string; headers: string[]; run: string[] }> {
  const folder = temporaryFolder();
  const headers: string[] = [];
  const receiver = await receiverThat((_body, response, request) => {
    headers.push(`${request.headers.authorization ?? "none"} ${String(request.headers["x-api-key"] ?? "none")}`);
    response.end("{}");
  });
  const url = receiver.url.replace("http://", "http://ann:pa55word@");
  const file = join(folder, "guarded.yaml");
  writeFileSync(
    file,
    `name: Guarded
lasts: 10m
receiver: { url: "${url}", headers: { Authorization: "Bearer\\x20s3cret-one", X-Api-Key: &key s3cret-two, X-Plain: shown } }
handsets: { clinic: { count: 1, phone: "+250788000001" }, own: { count: 1, phone: "+250788000002", receiver: "${url}" } }
people: { farmers: { count: 2, of: clinic, phone: "+2507811{0}" } }
story: [{ at: 1m, text: { from: farmers/0, to: clinic/0, body: hello } }]
`,
  );
  return { folder, file, url, headers, run: ["run", file, "--recording", join(folder, "run.db"), "-q"] };
}

const secrets = ["s3cret", "pa55word"];

/** The secrets found in the files of a folder, each with its file's name. */
function leaks(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== "guarded.yaml")
    .flatMap((name) => {
      const bytes = readFileSync(join(folder, name), "latin1");
      return secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${name}`);
    });
}

describe("a run whose receiver wants a password and a token", () => {
  it("keeps neither in its recording, its report, or what is written from them", async () => {
    const { folder, run, headers } = await guarded();
    expect(await handset(run)).toMatchObject({ code: 0 });
    expect(headers).toEqual(["Bearer s3cret-one s3cret-two"]);
    expect(leaks(folder)).toEqual([]);
    const recording = join(folder, "run.db");
    for (const { name: format } of reportFormats.filter(({ isPage }) => isPage !== true)) {
      const { code, stdout, stderr } = await handset(["report", recording, "--format", format]);
      expect(code, format).toBe(0);
      for (const secret of secrets) expect(stdout + stderr, format).not.toContain(secret);
    }
    expect(readFileSync(recording, "latin1")).toContain("shown");
  });

  it("keeps both where that is asked for", async () => {
    const { folder, run } = await guarded();
    expect(await handset([...run, "--keep-secrets"])).toMatchObject({ code: 0 });
    expect(leaks(folder)).toEqual(expect.arrayContaining(["s3cret in run.db", "pa55word in run.db"]));
  });

  it("is replayed with the token of its file, and refused where that is gone", async () => {
    const { folder, file, url, run, headers } = await guarded();
    await handset(run);
    const replay = ["replay", join(folder, "run.db"), "-r", url, "--recording", join(folder, "again.db"), "-q"];
    expect(await handset(replay)).toMatchObject({ code: 0 });
    expect(headers).toEqual(["Bearer s3cret-one s3cret-two", "Bearer s3cret-one s3cret-two"]);
    expect(leaks(folder)).toEqual([]);
    rmSync(file);
    const { code, stderr } = await handset([...replay, "--overwrite"]);
    expect(code).toBe(2);
    expect(stderr).toContain("does not keep the passwords and tokens");
    expect(stderr).toContain("--keep-secrets");
    expect(headers).toHaveLength(2);
  });

  it("is replayed with the token of its recording where that keeps it, and the new recording keeps none", async () => {
    const { folder, file, url, run, headers } = await guarded();
    await handset([...run, "--keep-secrets"]);
    rmSync(file);
    const again = join(folder, "again.db");
    expect(await handset(["replay", join(folder, "run.db"), "-r", url, "--recording", again, "-q"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(headers).toEqual(["Bearer s3cret-one s3cret-two", "Bearer s3cret-one s3cret-two"]);
    expect(leaks(folder).filter((leak) => leak.includes("again.db"))).toEqual([]);
  });
});
