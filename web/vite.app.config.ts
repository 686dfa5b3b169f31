import { defineConfig } from "vite";

// The search page. `rondo serve` hands out dist/app as it is: a page, and assets whose names change with their content.
export default defineConfig({
  root: "app",
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "../dist/app",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "assets/app-[hash].js",
        // The engraver stays a file of its own, exactly as its makers built it (its licence, LGPL, asks for no less).
        assetFileNames: ({ names }) =>
          names[0]?.startsWith("verovio") ? "assets/engraver-[hash].js" : "assets/[name]-[hash][extname]",
      },
    },
  },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "assets/engraving-[hash].js" } } },
});
