import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What starts programs and browsers begins first, so that no worker is left alone with it at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => /\/test\/(end-to-end|browser)\//.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

const config: ViteUserConfig = defineConfig({
  resolve: { alias: { "handset-lab": new URL("src/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/fresh-build.ts",
    // For what hangs, not for what is slow: the machine may have other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Files of one worker share what they import: loading it anew for each took a fifth of the suite's time. So a helper
    // tidies up by `onTestFinished`; a hook at its top would belong to the first file only.
    isolate: false,
    // What is built is for Node to load, as it is.
    server: { deps: { external: [/\/dist\//] } },
    sequence: { sequencer: SlowFirst },
    pool: "forks",
    maxWorkers: 3,
  },
});

export default config;
