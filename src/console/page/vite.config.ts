import { defineConfig, type UserConfig } from "vite";

/** `npm run page`: the page of the sources, with the lab of a `handset serve` at its default port. */
const LAB = "http://127.0.0.1:8080";
const toLab = { target: LAB, changeOrigin: true, ws: true, headers: { origin: LAB } };

const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  // Relative, so that the page works under any path.
  base: "./",
  // Also where NODE_ENV is not production, as under tests: development's JSX names the sources' paths on this machine.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  server: { proxy: { "/lab": toLab, "/api": toLab, "/console": toLab } },
  build: {
    outDir: "../../../dist/console/page",
    emptyOutDir: true,
    target: "es2022",
    // The first browsers with `light-dark()`: the style sheets stay as they are written.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy refuses data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

export default config;
