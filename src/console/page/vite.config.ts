import { defineConfig, type UserConfig } from "vite";

/** `npm run page` serves the page from the sources, with the lab of a `handset serve` at its default port. */
const LAB = "http://127.0.0.1:8080";
const toLab = { target: LAB, changeOrigin: true, ws: true, headers: { origin: LAB } };

const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  // Relative, so that the page works under any path.
  base: "./",
  // Never development mode, even in tests: its JSX contains source paths of this machine.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  server: { proxy: { "/lab": toLab, "/api": toLab, "/console": toLab } },
  build: {
    outDir: "../../../dist/console/page",
    emptyOutDir: true,
    target: "es2022",
    // The first browsers with `light-dark()`, so that the style sheets stay unchanged.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy refuses data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

export default config;
