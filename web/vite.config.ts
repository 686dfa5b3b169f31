import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const plot = JSON.parse(readFileSync(new URL("node_modules/@observablehq/plot/package.json", import.meta.url), "utf8"));

// One script and one style for the report page; the program takes both in when it is built (src/report/bundle.S).
export default defineConfig({
  define: { __PLOT_VERSION__: JSON.stringify(plot.version) },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "report/main.ts",
      output: { format: "iife", entryFileNames: "report.js", assetFileNames: "report[extname]" },
    },
  },
});
