import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseScenario, readyAccountFile, readyScenarioFile, serve } from "../../src/index.js";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

describe("the OpenAPI document", () => {
  it("shows example bodies that the ready account accepts unchanged", async () => {
    const { scenario } = parseScenario(readFileSync(readyScenarioFile, "utf8"), {
      file: readyScenarioFile,
      nowMs: Date.UTC(2026, 2, 4, 6),
    });
    if (scenario === undefined) throw new Error("the ready scenario is not sound");
    const text = readFileSync(readyAccountFile, "utf8");
    const account = { kind: "text", file: readyAccountFile, readsFiles: true, text } as const;
    const lab = await serve({
      scenario,
      accounts: [account],
      receiver: "bundled",
      playsFirstHour: true,
      isPaused: true,
    });
    onTestFinished(() => lab.close());
    const { paths } = (await (await fetch(`${lab.url}/api/v2/openapi.json`)).json()) as Document;
    const bodies = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { requestBody }]) =>
        // Forms encode the same example differently.
        Object.entries(requestBody?.content ?? {})
          .filter(([type]) => type === "application/json" || type === "application/yaml")
          .map(([type, { example }]) => ({ path, method, type, example })),
      ),
    );
    expect(bodies.length).toBeGreaterThan(35);
    const refused: string[] = [];
    for (const { path, method, type, example } of bodies) {
      const token = path.startsWith("/lab") ? lab.labToken : lab.token;
      const body = type === "application/json" ? JSON.stringify(example) : (example as string);
      const headers = { authorization: `Token ${token}`, "content-type": type };
      const answer = await fetch(lab.url + path, { method: method.toUpperCase(), headers, body });
      // What is minimised must have reached a receiver, and the first hour is played without one.
      if (path === "/lab/bug/minimise") expect(answer.status).toBe(409);
      else if (!answer.ok) refused.push(`${method} ${path} ${body}: ${answer.status} ${await answer.text()}`);
    }
    expect(refused).toEqual([]);
  });
});
