import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  resolve: { alias: { "handset-lab": new URL("src/lab/index.ts", import.meta.url).pathname } },
  test: { include: ["test/**/*.test.ts"], testTimeout: 20_000, pool: "forks", maxWorkers: 3 },
});

export default config;
