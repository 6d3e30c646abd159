import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handset } from "../cli/terminal.js";
import { contactRecords, fakeService, fakeToken } from "./fake-service.js";
import { outputPath } from "./rig.js";

const records = { org: { name: "Coast Depot" }, groups: [], fields: [], contacts: contactRecords(30) };

describe("handset account pull", () => {
  beforeEach(() => void vi.stubEnv("HANDSET_API_TOKEN", fakeToken));
  afterEach(() => void vi.unstubAllEnvs());

  it("takes the token from the environment, writes the file and sums up", async () => {
    const { url } = await fakeService(records);
    const output = outputPath();
    const { code, stdout, stderr } = await handset(["account", "pull", `${url}/api/v2/`, "-o", output]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Pulled 'Coast Depot' from ${url} (`);
    expect(stdout).toMatch(/^ {2}contacts +30$/m);
    expect(stdout).toMatch(/^Refused by the service:\n {2}labels: 404 'Not found.'$/m);
    expect(stdout).toContain("triggers by schedule");
    expect(stdout).toMatch(/^Serve it: handset serve .*account\.yaml$/m);
    expect(stdout).not.toContain(fakeToken);
    const text = readFileSync(output, "utf8");
    expect(text).not.toContain("Contact 1");
    expect(text).not.toContain("+2507880000");
    const check = await handset(["check", output]);
    expect(check.stdout).toContain("ok: 30 contacts");
  });

  it("prints the summary as JSON", async () => {
    const { url } = await fakeService(records);
    const output = outputPath();
    const argv = ["account", "pull", url, "-o", output, "--pseudonyms", "off", "--json"];
    const summary = JSON.parse((await handset(argv)).stdout) as Record<string, unknown>;
    expect(summary).toMatchObject({
      service: url,
      account: "Coast Depot",
      pseudonyms: "off",
      resumed: false,
      problems: "",
      leftOut: [],
    });
    expect(summary["resources"]).toContainEqual({ resource: "contacts", read: 30, written: 30 });
  });

  it("ends with 2 for a wrong command line or token, with 3 without an answer", async () => {
    const { url } = await fakeService(records);
    const pull = async (...argv: string[]): Promise<string> => {
      const { code, stderr } = await handset(["account", "pull", ...argv]);
      expect(stderr).not.toContain(fakeToken);
      return `${code} ${stderr.split("\n", 1)[0]}`;
    };
    const output = outputPath();
    expect(await pull(url, "-o", output, "--token", "wrong")).toBe(
      "2 handset: the service refuses the token: 403 'Invalid token'",
    );
    expect(await pull(url)).toMatch(/^2 error: required option '-o, --output <file>'/);
    expect(await pull("depot.example", "-o", output)).toMatch(/^2 handset: 'depot.example' is not the address/);
    expect(await pull(url, "-o", output, "--rate", "0")).toMatch(/^2 error: option '--rate <n>'/);
    expect(await pull("http://127.0.0.1:9", "-o", output)).toMatch(/^3 handset: .*the connection failed/);
    vi.stubEnv("HANDSET_API_TOKEN", "");
    expect(await pull(url, "-o", output)).toBe("2 handset: a token is missing");
    expect(existsSync(output)).toBe(false);
  });

  it("ends with 3 on Ctrl-C, and says how it continues", async () => {
    let press = (): void => undefined;
    const { url } = await fakeService(records, (path) => void (path.includes("contacts") && press()));
    const output = outputPath();
    const { code, stderr } = await handset(["account", "pull", url, "-o", output], {
      interrupts: (found) => (press = found),
    });
    expect(code).toBe(3);
    expect(stderr).toContain("handset: interrupted\n");
    expect(stderr).toContain("account.yaml.pull has what was read: the same command continues there");
  });
});
