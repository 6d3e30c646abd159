import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { TEST_MS, WAIT_MS } from "./test/support/hang-guard.js";

/**
 * Tests that need `dist/`: they start the built command or a thread of it, or ask for the page. `.ci/test-on-node` runs
 * all others without it.
 */
const ofTheProduct = [
  "{browser,cli,end-to-end,run}/**/*",
  "api/{chain,control*,public-url}",
  "console/{access,own-names,page/build}",
  "control/suggested-texts",
  "docs/library",
  "field/{import,reconcile-log,replay-log}",
  "fleet/merge",
  "http/{methods,thread/*}",
  "inspect/reconcile-{logs,properties}",
  "lab/sampler",
  "pull/pull-account",
  "report/{compare,faults,formats,html-report,verdict}",
  "testing/runners",
  "store/{connection,damaged,heads,late-thread,old-recordings,reexecution,writer}",
].map((files) => `test/${files}.test.ts`);

/** What starts programs and browsers begins first, so that no worker is left alone with it at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => /\/test\/(end-to-end|browser)\//.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  // Each project has it: what a project extends is read without the mode of the command line.
  const env = { NIGHTLY: mode === "nightly" ? "1" : "" };
  return {
    resolve: {
      alias: [
        ["handset-lab", "src/index.ts"],
        ["handset-lab/testing", "src/testing/index.ts"],
        ["handset-lab/testing/vitest", "src/testing/vitest.ts"],
      ].map(([name = "", path = ""]) => ({
        find: new RegExp(`^${name}$`),
        replacement: new URL(path, import.meta.url).pathname,
      })),
    },
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: "unit",
            env,
            include: ["test/**/*.test.ts", "docs/examples/**/*.test.ts"],
            exclude: [...ofTheProduct, "test/cluster/**"],
          },
        },
        {
          extends: true,
          test: { name: "product", env, include: ofTheProduct, globalSetup: "test/support/fresh-build.ts" },
        },
        {
          // Real cluster engines, which are downloaded: `npm run test:cluster`.
          extends: true,
          test: {
            name: "cluster",
            env,
            include: ["test/cluster/**/*.test.ts"],
            globalSetup: "test/support/fresh-build.ts",
          },
        },
      ],
      testTimeout: TEST_MS,
      hookTimeout: TEST_MS,
      expect: { poll: { timeout: WAIT_MS } },
      // Files of one worker share what they import: loading it anew for each took a fifth of the suite's time. So a helper
      // tidies up by `onTestFinished`; a hook at its top would belong to the first file only.
      isolate: false,
      // What is built is for Node to load, as it is.
      server: { deps: { external: [/\/dist\//] } },
      // The next run loads what did not change without transforming it again.
      experimental: { fsModuleCache: true },
      sequence: { sequencer: SlowFirst },
      pool: "forks",
      maxWorkers: 3,
    },
  };
});

export default config;
