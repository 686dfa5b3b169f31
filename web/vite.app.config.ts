import { defineConfig, type Plugin } from "vite";

/** Pages lie in folders of their own here and side by side in what is served. */
const kPages: Record<string, string> = { "app/index.html": "index.html", "study/index.html": "study.html", "studies/index.html": "studies.html", "concordances/index.html": "concordances.html" };
const pagesAtRoot: Plugin = {
  name: "pages-at-root",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const [from, to] of Object.entries(kPages)) {
      const page = bundle[from];
      if (page) page.fileName = to;
    }
  },
};

// The pages that `rondo serve` hands out from dist/app as they are: search, a participant's study, the researcher's
// studies, an editor's concordances; and assets whose names change with their content.
export default defineConfig({
  root: ".",
  base: "/",
  publicDir: false,
  plugins: [pagesAtRoot],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist/app",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { app: "app/index.html", study: "study/index.html", studies: "studies/index.html", concordances: "concordances/index.html" },
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        // The engraver stays a file of its own, exactly as its makers built it (its licence, LGPL, asks for no less).
        assetFileNames: ({ names }) =>
          names[0]?.startsWith("verovio") ? "assets/engraver-[hash].js" : "assets/[name]-[hash][extname]",
      },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: ({ name }) => (name.includes("worklet") ? "assets/capture-[hash].js" : "assets/engraving-[hash].js") } },
  },
});
