// The program itself, serving a collection that the tests know.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kMelodies } from "../mock/melodies.mjs";

const program = process.env.RONDO_PROGRAM;
export const run = (...words) => execFileSync(program, words, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });

/** A collection made of the stand-in's melodies, so that the same words may appear nowhere. */
export function makeCollection(folder) {
  const db = join(folder, "tunes.db");
  const pieces = join(folder, "tunes.jsonl");
  writeFileSync(pieces, kMelodies.map(({ uri, ...melody }) => JSON.stringify(melody)).join("\n"));
  run("import", pieces, "--db", db);
  return db;
}

export async function startProgram(db) {
  const child = spawn(program, ["serve", "--db", db, "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((found, failed) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      const address = /http:\/\/[^/\s]+/.exec(said);
      if (address) found(address[0]);
    });
    child.on("exit", () => failed(new Error(`rondo serve ended: ${said}`)));
  });
  // Whatever goes wrong, the test ends, and the server with it.
  process.on("exit", () => child.kill());
  child.unref();
  child.stdout.unref();
  return { child, url };
}

/** `rondo serve` over the known melodies. */
export async function startCollection() {
  const folder = mkdtempSync(join(tmpdir(), "rondo-app-"));
  const { child, url } = await startProgram(makeCollection(folder));
  return {
    url,
    close: () => {
      child.on("exit", () => rmSync(folder, { recursive: true, force: true }));
      child.kill("SIGTERM");
    },
  };
}
