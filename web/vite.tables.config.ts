import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const kName = "virtual:engraver";
const kBegin = "function findWasmBinary(){return binaryDecode(";
const kEnd = ")}function getBinarySync";

/**
 * The engraver's module carries its WebAssembly as a string of raw bytes, zeros among them, which a page of HTML does not
 * keep. Here the same bytes go packed and as plain letters, less than half as many; the module is given them when it
 * starts. Nothing else of it changes.
 */
const packedEngraver: Plugin = {
  name: "packed-engraver",
  resolveId: (id) => (id === kName ? `\0${kName}` : null),
  load(id) {
    if (id !== `\0${kName}`) return null;
    const text = readFileSync(new URL("node_modules/verovio/dist/verovio-module.mjs", import.meta.url), "utf8");
    const begin = text.indexOf(kBegin);
    const end = text.indexOf(kEnd, begin);
    if (begin < 0 || end < 0) throw new Error("the engraver's module is not built as this file expects");
    const bytes = Buffer.from(runInNewContext(text.slice(begin + kBegin.length, end)), "latin1");
    if (bytes.toString("latin1", 0, 4) !== "\0asm") throw new Error("that is not WebAssembly");
    const code = `${text.slice(0, begin)}function findWasmBinary(){return moduleArg["wasm"]${text.slice(end + 1)}`
      .replace('var ENVIRONMENT_IS_NODE=globalThis.process?.versions?.node&&globalThis.process?.type!="renderer"', "var ENVIRONMENT_IS_NODE=false")
      .replace("const{createRequire}=await import(\"node:module\");var require=createRequire(import.meta.url)", "")
      .replace(/require\("node:\w+"\)/g, "{}")
      .replaceAll("import.meta.url", "document.baseURI");
    return `${code}\nexport const packed = ${JSON.stringify(gzipSync(bytes, { level: 9 }).toString("base64"))};`;
  },
};

// One script and one style for the tables' file, which the program writes with the data of a truth in it.
export default defineConfig({
  plugins: [packedEngraver],
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4000,
    rollupOptions: {
      input: "tables/main.tsx",
      output: { format: "iife", entryFileNames: "tables.js", assetFileNames: "tables[extname]" },
    },
  },
});
