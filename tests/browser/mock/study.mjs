// The studies of `rondo serve` as far as the pages need them: one study in memory with the same questions, answers,
// versions and refusals. What a participant is given has codes and notes, nothing else.

import { randomBytes } from "node:crypto";
import { truthOf } from "./truth.mjs";

export class StudyRefused extends Error {
  constructor(status, code, detail, more = {}) {
    super(detail);
    this.status = status;
    this.problem = { title: detail, detail, code, ...more };
  }
}

const word = () => randomBytes(9).toString("hex");
const kVowels = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const newCode = () => [...randomBytes(16)].map((byte) => kVowels[byte % kVowels.length]).join("").replace(/(.{4})(?=.)/g, "$1-");
const plain = (code) => code.toUpperCase().replace(/[^A-Z0-9]/g, "");

export const kResearcherToken = "MOCK-TOKEN-FOR-TESTS";

export function makeStudies({ melodies, ties = true, participants = 2 }) {
  const studies = new Map();
  const sessions = new Map(); // cookie -> { role, study, participant, csrf }
  const audit = [];

  function makeStudy(name, settings) {
    const queries = (settings.candidate_sets ?? ["joy", "maman"]).map((label, i) => ({
      number: i + 1,
      label,
      piece: melodies[i],
      candidates: melodies.map((piece) => ({ code: word(), piece })),
    }));
    const study = { name, title: name, instructions: "", consent: "", ties, state: "draft", plant_query: true, simulated: false, link: "", ...settings, queries, participants: [] };
    studies.set(name, study);
    return study;
  }

  function invite(study, label) {
    const number = study.participants.length + 1;
    const one = { number, label: label ?? `P${number}`, code: newCode(), consented: false, background: null, joined: null, last_seen: null, answers: new Map(), saves: new Map() };
    // Another order for everybody, the same every time.
    one.orders = study.queries.map(({ candidates }) => candidates.map((_, i) => candidates[(i * 5 + number) % candidates.length]));
    study.participants.push(one);
    return one;
  }

  const melody = ({ mei, notes }) => ({ mei, notes });
  const answerOf = (one, number) => one.answers.get(number) ?? { version: 0, ranking: [], done: false };
  const find = (name) => studies.get(name) ?? refuse(404, "study-unknown", "there is no such study");
  const refuse = (...all) => {
    throw new StudyRefused(...all);
  };

  function participantPath(study, one, method, rest, body) {
    if (rest === "/me")
      return {
        csrf: one.csrf,
        participant: one.number,
        study: { title: study.title, instructions: study.instructions, consent: study.consent, ties: study.ties, state: study.state },
        consented: one.consented,
        background: one.background,
        queries: study.queries.map(({ number, candidates }) => ({ number, ranked: answerOf(one, number).ranking.flat().length, total: candidates.length, done: answerOf(one, number).done })),
      };
    if (rest === "/me/consent") return ((one.consented = true), {});
    if (rest === "/me/background") return ((one.background = body), {});
    const [, text, tail] = /^\/me\/queries\/(\d+)(\/ranking)?$/.exec(rest) ?? [];
    const query = study.queries[Number(text) - 1] ?? refuse(404, "query-unknown", "there is no such query");
    const now = answerOf(one, query.number);
    if (!tail)
      return { number: query.number, query: melody(query.piece), candidates: one.orders[query.number - 1].map(({ code, piece }) => ({ code, ...melody(piece) })), ...now, ties: study.ties };
    if (one.saves.has(body.save)) return one.saves.get(body.save);
    if (study.state === "closed") refuse(403, "study-closed", "the study is closed");
    if (body.version !== now.version) refuse(409, "ranking-conflict", "changed elsewhere", now);
    one.answers.set(query.number, { version: now.version + 1, ranking: body.ranking, done: body.done });
    one.saves.set(body.save, { version: now.version + 1, saved: new Date().toISOString() });
    return one.saves.get(body.save);
  }

  const summary = (study) => ({
    name: study.name,
    title: study.title,
    state: study.state,
    queries: study.queries.length,
    participants: study.participants.length,
    finished: study.participants.filter((one) => study.queries.every(({ number }) => answerOf(one, number).done)).length,
    votes: study.participants.reduce((sum, one) => sum + [...one.answers.values()].reduce((all, { ranking }) => all + ranking.flat().length, 0), 0),
    simulated: study.simulated,
  });
  const whole = (study) => ({
    ...summary(study),
    instructions: study.instructions,
    consent: study.consent,
    ties: study.ties,
    plant_query: study.plant_query,
    open_link: study.link !== "",
    queries: study.queries.map(({ number, label, candidates }) => ({ number, label, candidates: candidates.length })),
    participants: study.participants.map((one) => ({
      number: one.number,
      label: one.label,
      joined: one.joined,
      last_seen: one.last_seen,
      consented: one.consented,
      finished: study.queries.every(({ number }) => answerOf(one, number).done),
      ranked: study.queries.map(({ number }) => answerOf(one, number).ranking.flat().length),
      done: study.queries.map(({ number }) => answerOf(one, number).done),
    })),
  });

  function researcherPath(method, path, asked, body) {
    const log = (what, detail) => audit.push({ at: new Date().toISOString(), who: "researcher", what, detail });
    if (path === "/studies" && method === "GET")
      return { studies: [...studies.values()].map(summary), candidate_sets: [{ name: "joy", query: "Ode to Joy", candidates: melodies.length }, { name: "maman", query: "Ah! vous dirai-je, maman", candidates: melodies.length }] };
    if (path === "/studies" && method === "POST") {
      if (studies.has(body.name)) refuse(409, "study-exists", `there is a study ${body.name} already`);
      if (!/^[a-z0-9-]+$/.test(body.name ?? "")) refuse(422, "study-name", "a name has small letters, digits and dashes");
      log("create", body.name);
      return whole(makeStudy(body.name, body));
    }
    const [, name, rest = ""] = /^\/studies\/([^/]+)(\/.*)?$/.exec(path) ?? refuse(404, "path-unknown", "nothing here");
    const study = find(decodeURIComponent(name));
    if (rest === "" && method === "PATCH") {
      Object.assign(study, body);
      log("change", Object.keys(body).join(", "));
      return whole(study);
    }
    if (rest === "") return whole(study);
    if (rest === "/invitations") {
      const labels = body.labels ?? Array.from({ length: body.count }, () => undefined);
      log("invite", `${labels.length}`);
      return { invitations: labels.map((label) => invite(study, label)).map(({ number, label, code }) => ({ number, label, code, path: `/study/${study.name}#${code}` })) };
    }
    if (rest === "/open-link") {
      study.link = body.enabled ? word() : "";
      log("open-link", String(body.enabled));
      return body.enabled ? { path: `/study/${study.name}#open-${study.link}` } : {};
    }
    if (rest === "/audit") return { audit };
    if (rest === "/truth") return { study: study.name, title: study.title, simulated: study.simulated, ...truthOf(melodies, asked.get("rule") ?? "paper", Number(asked.get("threshold") ?? 0.25)) };
    return refuse(404, "path-unknown", "nothing here");
  }

  /** One question below /api/v1, or null if it is none about studies. Cookies to set are given back beside the answer. */
  function answer({ method, path, asked, headers, body }) {
    if (!/^\/(login|logout|me|studies|study)(\/|$)/.test(path)) return null;
    const cookies = Object.fromEntries((headers.cookie ?? "").split(/; */).map((pair) => pair.split("=")));
    const json = body ? JSON.parse(body) : null;
    const open = (name, session) => {
      const cookie = word();
      sessions.set(cookie, { ...session, csrf: word() });
      return { value: { csrf: sessions.get(cookie).csrf }, cookie: `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/` };
    };
    const guard = (session, bearer) => {
      if (!session) refuse(401, "join-needed", "not signed in");
      if (method !== "GET" && !bearer && headers["x-rondo-csrf"] !== session.csrf) refuse(403, "csrf-wrong", "the header X-Rondo-Csrf is missing or wrong");
    };
    if (path === "/login") return json.token === kResearcherToken ? open("rondo_researcher", { role: "researcher" }) : refuse(401, "token-wrong", "this is not the researcher's token");
    const researcher = sessions.get(cookies.rondo_researcher);
    if (path === "/me") return { value: researcher ? { role: "researcher", csrf: researcher.csrf } : { role: "visitor" } };
    if (path === "/logout") return (sessions.delete(cookies.rondo_researcher), { value: {} });
    if (path.startsWith("/studies")) {
      guard(researcher);
      return { value: researcherPath(method, path, asked, json), status: method === "POST" && path === "/studies" ? 201 : 200 };
    }
    const [, name, rest] = /^\/study\/([^/]+)(\/.*)$/.exec(path) ?? refuse(404, "path-unknown", "nothing here");
    const study = find(decodeURIComponent(name));
    if (rest === "/join") {
      const linked = json.link && json.link === study.link;
      const one = linked ? invite(study, "open link") : study.participants.find(({ code }) => plain(code) === plain(json.code ?? ""));
      if (!one) refuse(403, "code-unknown", "unknown code");
      one.joined ??= new Date().toISOString();
      const opened = open("rondo_participant", { role: "participant", study: study.name, participant: one.number });
      return { ...opened, value: { ...opened.value, ...(linked && { code: one.code }) } };
    }
    const session = sessions.get(cookies.rondo_participant);
    guard(session?.study === study.name ? session : null);
    if (rest === "/me/leave") return (sessions.delete(cookies.rondo_participant), { value: {} });
    const one = study.participants[session.participant - 1];
    one.csrf = session.csrf;
    one.last_seen = new Date().toISOString();
    return { value: participantPath(study, one, method, rest, json) };
  }

  const first = makeStudy("tunes", {
    title: "Which tunes resemble each other?",
    state: "open",
    simulated: true,
    instructions: "Order the melodies by how much they resemble the query.\n\n- A melody in another key counts as the same.\n- Compare only what both have.",
    consent: "Your rankings are kept under a number.",
    candidate_sets: ["joy", "maman"],
  });
  for (let i = 0; i < participants; ++i) invite(first);
  return { answer, studies, invite };
}
