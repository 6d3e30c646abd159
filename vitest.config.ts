import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  resolve: { alias: { "handset-lab": new URL("src/lab/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    // For what hangs, not for what is slow: the machine may have other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files of one worker share what they import: loading it anew for each took a fifth of the suite's time. So a helper
    // tidies up by `onTestFinished`; a hook at its top would belong to the first file only.
    isolate: false,
    // What is built is for Node to load, as it is.
    server: { deps: { external: [/\/dist\//] } },
    pool: "forks",
    maxWorkers: 3,
  },
});

export default config;
