// A server with one open study of two queries and codes to join it: the real program where it knows studies, else the
// stand-in. RONDO_STUDIES=mock asks for the stand-in.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kMelodies } from "../mock/melodies.mjs";
import { startMock } from "../mock/server.mjs";
import { kResearcherToken } from "../mock/study.mjs";
import { makeCollection, run, startProgram } from "./program.mjs";

export const knowsStudies = () => process.env.RONDO_STUDIES !== "mock" && spawnSync(process.env.RONDO_PROGRAM, ["study", "--help"], { stdio: "ignore" }).status === 0;

async function mockServer(folder) {
  const mock = await startMock({ folder });
  const study = mock.studies.studies.get("tunes");
  return {
    kind: "mock",
    url: mock.url,
    token: kResearcherToken,
    code: async () => mock.studies.invite(study).code,
    close: mock.close,
    kill: null,
  };
}

/**
 * Twelve people who agree but for neighbours, whom a third of them takes the other way round: p is then 0.22,
 * so there is a border between them at 0.25 and none at 0.01.
 */
function votes(folder) {
  const rows = ["participant,query,candidate,rank"];
  for (const query of ["joy-1", "maman-1"]) {
    const others = kMelodies.map(({ id }) => id).filter((id) => id !== query).slice(0, 6);
    for (let person = 0; person < 12; ++person) {
      const order = [...others];
      const at = 2 * (person % 3);
      [order[at], order[at + 1]] = [order[at + 1], order[at]];
      order.forEach((candidate, rank) => rows.push(`voter-${person},${query},${candidate},${rank + 1}`));
    }
  }
  const file = join(folder, "votes.csv");
  writeFileSync(file, `${rows.join("\n")}\n`);
  return file;
}

async function realServer() {
  const folder = mkdtempSync(join(tmpdir(), "rondo-study-"));
  const db = makeCollection(folder);
  for (const [set, query] of [["joy", "joy-1"], ["maman", "maman-1"]]) run("candidates", "make", set, "--db", db, "--like", query, "--where", "notes > 0");
  run("study", "create", "tunes", "--db", db, "--candidates", "joy", "--candidates", "maman", "--title", "Which tunes resemble each other?", "--ties");
  run("study", "import", votes(folder), "--study", "tunes", "--db", db);
  run("study", "open", "tunes", "--db", db);
  const token = run("study", "token", "--db", db).trim().split(/\s+/).at(-1);
  const { child, url } = await startProgram(db);
  let invited = 0;
  return {
    kind: "real",
    url,
    token,
    code: async () => {
      const answer = await fetch(`${url}/api/v1/studies/tunes/invitations`, { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body: JSON.stringify({ labels: [`tester ${++invited}`] }) });
      return (await answer.json()).invitations[0].code;
    },
    close: () => {
      child.kill("SIGTERM");
      child.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

export async function startStudies(folder) {
  const server = await (knowsStudies() ? realServer() : mockServer(folder));
  console.log(`against ${server.kind === "real" ? process.env.RONDO_PROGRAM : "the stand-in"}`);
  return server;
}

/** Words that no participant may ever be given: what catalogues know about the melodies. */
export const kSecrets = kMelodies.flatMap(({ id, title, composer, shelfmark }) => [id, title, composer, shelfmark]).filter((text) => text && text.length > 3);
