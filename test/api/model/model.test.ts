import * as fc from "fast-check";
import { describe, it } from "vitest";
import { startTestService } from "../support.js";
import { Api } from "./api.js";
import { beginning, commands } from "./commands.js";
import { compareLists } from "./compare.js";
import { emptyModel } from "./model.js";
import { runs } from "../../support/effort.js";

const numRuns = runs(6, 100);

describe("the service and a simple model of it", () => {
  it(`agree on ${numRuns} random sequences of requests`, async () => {
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (sequence) => {
      const service = await startTestService({ account: "bare" });
      const real = { api: new Api(service), service, moments: new Map() };
      const model = emptyModel();
      try {
        for (const play of beginning) await play(model, real);
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        await compareLists(model, real.api, real.moments);
      } finally {
        await service.close();
      }
    });
    await fc.assert(property, { numRuns, endOnFailure: false });
  });
});
