// A small stand-in for `rondo serve`: the same questions and answers over a handful of melodies, the same strict headers,
// the built page. Scores are those of a plain alignment of intervals; nothing here is meant to find well.

import { createServer } from "node:http";
import { readFileSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { kMelodies, kSystems } from "./melodies.mjs";
import { readQuery, makeMelody } from "./music.mjs";
import { align } from "./align.mjs";
import { makeStudies, StudyRefused } from "./study.mjs";

const kTypes = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail);
    this.status = status;
    this.problem = problem;
  }
}

const century = (year) => (year ? `${Math.floor((year - 1) / 100) + 1}th` : "");

function facetValues(melody) {
  const { clef, key, time } = melody;
  return { composer: melody.composer, key, time, clef, century: century(melody.year), library: melody.library };
}

function queryOf(asked, melodies) {
  if (asked.get("id")) {
    const found = melodies.find(({ id }) => id === asked.get("id"));
    if (!found) throw new Refused(404, { title: "No such melody", detail: `There is no melody ${asked.get("id")}.`, code: "not-found" });
    return found;
  }
  if (!asked.get("q")) return null;
  const read = readQuery(asked.get("q"));
  if (read.problem) throw new Refused(422, read.problem);
  return read;
}

function chosen(melody, asked) {
  const values = facetValues(melody);
  const words = (asked.get("text") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${melody.title} ${melody.composer}`.toLowerCase();
  return Object.entries(values).every(([name, value]) => {
    const wanted = asked.getAll(name);
    return wanted.length === 0 || wanted.includes(value);
  }) && words.every((word) => text.includes(word));
}

function search(asked, melodies) {
  const start = performance.now();
  const query = queryOf(asked, melodies);
  const system = asked.get("system") || "shapeh";
  const options = { system, ignoreRepeated: asked.get("ignore_repeated") === "1", anchored: asked.get("anchored") === "1" };
  const scored = melodies
    .filter((melody) => melody.id !== asked.get("id") && chosen(melody, asked))
    .map((melody) => ({ melody, ...(query ? align(query.notes, melody.notes, options) : { score: 0, query: [], document: [] }) }))
    .sort((a, b) => b.score - a.score || a.melody.id.localeCompare(b.melody.id));
  const facets = {};
  for (const { melody } of scored)
    for (const [name, value] of Object.entries(facetValues(melody))) {
      facets[name] ??= new Map();
      facets[name].set(value, (facets[name].get(value) ?? 0) + 1);
    }
  const k = Number(asked.get("k") ?? 20);
  const offset = Number(asked.get("offset") ?? 0);
  return {
    query: query && { pae: query.pae, notes: query.notes },
    system,
    milliseconds: performance.now() - start,
    compared: scored.length,
    not_reached: 0,
    too_short: 0,
    filtered_out: 0,
    complete: true,
    total: scored.length,
    hits: scored.slice(offset, offset + k).map(({ melody, score, query: q, document }, i) => ({
      ...melody,
      rank: offset + i + 1,
      score,
      voice: 0,
      matched: { query: q, document },
      duplicates: [],
    })),
    facets: Object.fromEntries(
      Object.entries(facets).map(([name, values]) => [name, [...values].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)]),
    ),
  };
}

function listAs(format, found) {
  if (format === "csv") return ["text/csv", ["rank,id,score", ...found.hits.map((hit) => `${hit.rank},${hit.id},${hit.score}`)].join("\n")];
  if (format === "trec") return ["text/plain", found.hits.map((hit) => `query Q0 ${hit.id} ${hit.rank} ${hit.score} ${found.system}`).join("\n")];
  if (format === "jsonl") return ["application/x-ndjson", found.hits.map((hit) => JSON.stringify(hit)).join("\n")];
  return ["application/json", JSON.stringify(found)];
}

function features({ notes }) {
  const pitches = notes.map(({ midi }) => midi);
  const chromatic = pitches.slice(1).map((midi, i) => midi - pitches[i]);
  const counts = new Map();
  for (const one of chromatic) counts.set(one, (counts.get(one) ?? 0) + 1);
  const range = Math.max(...pitches) - Math.min(...pitches);
  const histogram = [...counts].map(([interval, count]) => ({ interval, count, share: count / chromatic.length }));
  return { notes: notes.length, lowest: Math.min(...pitches), highest: Math.max(...pitches), range, max_interval: Math.max(...chromatic.map(Math.abs)), chromatic, histogram: { chromatic: histogram }, motives: [] };
}

function funnel(steps, melodies) {
  let left = melodies.length;
  const named = [...steps.matchAll(/^step: *(.+)$/gm)].map(([, name]) => {
    const before = left;
    left = Math.ceil(left / 2);
    return { step: name, before, excluded: before - left, percent: (100 * (before - left)) / before, left };
  });
  if (named.length === 0) throw new Refused(422, { title: "No steps", detail: "There is no line that begins with step:", code: "filter-empty" });
  return { total: melodies.length, steps: named, left };
}

function answer(path, asked, body, melodies, extras) {
  const json = (value) => ["application/json", JSON.stringify(value)];
  if (path === "/collection") return json({ name: "Mock catalogue", pieces: melodies.length, voices: melodies.length, notes: 100, version: "0" });
  if (path === "/systems") return json({ systems: kSystems });
  if (path === "/openapi.json") return json({ openapi: "3.1.0", paths: extras ? { "/api/v1/melodies/{id}/features": {}, "/api/v1/funnel": {} } : {} });
  if (path === "/query") {
    const read = readQuery(body === null ? (asked.get("q") ?? "") : body);
    if (read.problem) throw new Refused(422, read.problem);
    return json(body === null ? read : { ...read, voices: [{ pae: read.pae }] });
  }
  if (path === "/search" || path === "/export") return listAs(asked.get("format"), search(asked, melodies));
  if (path === "/compare") {
    const other = melodies.find(({ id }) => id === asked.get("with"));
    const { score, steps } = align(queryOf(asked, melodies).notes, other.notes, { system: asked.get("system") });
    return json({ system: asked.get("system"), score, steps, summary: "intervals aligned" });
  }
  if (path === "/funnel" && extras) return json(funnel(asked.get("steps") ?? "", melodies));
  const one = /^\/melodies\/([^/.]+)(\.\w+|\/features)?$/.exec(path);
  const melody = one && melodies.find(({ id }) => id === decodeURIComponent(one[1]));
  if (melody && !one[2]) return json({ ...melody, voices: [{ pae: melody.pae, mei: melody.mei, notes: melody.notes }] });
  if (melody && one[2] === "/features" && extras) return json(features(melody));
  if (melody && one[2] === ".mei") return ["application/xml", melody.mei];
  if (melody && one[2] !== "/features") return ["text/plain", melody.pae];
  throw new Refused(404, { title: "Not found", detail: "There is nothing here.", code: "not-found" });
}

const headers = (type) => ({
  "Content-Type": type,
  "Content-Security-Policy": kPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
});

/** Files are packed once; the engraver is large. */
const packed = new Map();

function file(folder, path) {
  const [, page] = /^\/(study|studies)(?:\/|$)/.exec(path) ?? [];
  const name = join(folder, normalize(page ? `/${page}.html` : path === "/" ? "/index.html" : path));
  if (!packed.has(name)) {
    if (!statSync(name, { throwIfNoEntry: false })?.isFile()) throw new Refused(404, { title: "Not found", detail: path, code: "not-found" });
    packed.set(name, gzipSync(readFileSync(name), { level: 1 }));
  }
  return [kTypes[extname(name)] ?? "application/octet-stream", packed.get(name)];
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Starts on a free port. Without `extras` there are neither features nor funnels, as in a server that lacks them. */
export async function startMock({ folder, extras = true, port = 0 }) {
  const melodies = kMelodies.map(makeMelody);
  const studies = makeStudies({ melodies });
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://mock");
    try {
      const body = request.method === "GET" ? null : await bodyOf(request);
      const path = url.pathname.replace("/api/v1", "");
      const studied = path === url.pathname ? null : studies.answer({ method: request.method, path, asked: url.searchParams, headers: request.headers, body });
      if (studied) {
        response.writeHead(studied.status ?? 200, { ...headers("application/json"), ...(studied.cookie && { "Set-Cookie": studied.cookie }) }).end(JSON.stringify(studied.value));
      } else if (url.pathname.startsWith("/api/v1/")) {
        const [type, text] = answer(url.pathname.slice("/api/v1".length), url.searchParams, body, melodies, extras);
        response.writeHead(200, headers(type)).end(text);
      } else {
        const [type, bytes] = file(folder, url.pathname);
        response.writeHead(200, { ...headers(type), "Content-Encoding": "gzip" }).end(bytes);
      }
    } catch (error) {
      const problem = error instanceof Refused || error instanceof StudyRefused ? { type: "about:blank", status: error.status, ...error.problem } : { type: "about:blank", title: "Mistake in the mock", status: 500, detail: String(error.stack), code: "mock" };
      response.writeHead(problem.status, headers("application/problem+json")).end(JSON.stringify(problem));
    }
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, studies, close: () => server.close() };
}
