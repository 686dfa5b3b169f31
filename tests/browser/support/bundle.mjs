// Modules of the pages as node can import them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { web } from "./browser.mjs";

/** `path` is within web/. */
export async function importPage(path) {
  const { rolldown } = await import(pathToFileURL(web.resolve("rolldown")).href);
  const folder = mkdtempSync(join(tmpdir(), "rondo-bundle-"));
  try {
    const bundle = await rolldown({ input: join(process.env.RONDO_WEB, path), cwd: process.env.RONDO_WEB, platform: "node" });
    const file = join(folder, "bundle.mjs");
    await bundle.write({ file, format: "es" });
    await bundle.close();
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
