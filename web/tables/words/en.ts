// Every word of the tables, in English.

import { speechOf } from "../../shared/language";
import type { Candidate, Rule, Truth } from "../data";
import { figuresOf } from "../figures";

const { plural } = speechOf("en");
const { figure, fixed, plain, probability } = figuresOf("en");
const p = (value: number | null): string => probability(value, "not tested");

export const en = {
  untitled: "Untitled",
  kind: "Ground truth",
  simulated: "Simulated votes",
  simulatedLong: "These votes were made by a program to try the study out. No person gave them.",
  rules: {
    paper: "a border above every candidate that differs from all candidates above it",
    all: "a new group where a candidate differs from all members of the current group",
    any: "a new group where a candidate differs from any member of the current group",
    previous: "a new group where a candidate differs from the one before it",
  } as Record<Rule, string>,
  about: (rule: string, threshold: number) => `Ordered by median rank, then mean rank. Grouping: ${rule}; Wilcoxon rank sum test, two-sided, p below ${plain(threshold)}.`,
  whose: (votes: NonNullable<Truth["votes"]>) =>
    [
      votes.unfinished ? "Unfinished rankings count too." : "Only finished rankings count.",
      votes.minimum > 1 ? `Candidates with fewer than ${votes.minimum} votes are left out.` : "Minimum of votes per candidate: 1.",
      ...votes.left_out.map(({ number, reason }) => `Participant ${number} is left out: ${reason}.`),
      votes.withdrawn > 0 ? `${plural(votes.withdrawn, "participant", "participants")} withdrew.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  compact: "Compact",
  print: "Print",
  printWaits: "Engraving…",
  contents: "Queries",
  query: (n: number) => `Query ${n}`,
  queryRow: "Query",
  columns: { rank: "Median rank", incipit: "Incipit, composer, title, shelfmark", plot: "Ranks, and Wilcoxon tests against each one above (dark: p)" },
  group: (n: number) => `Group ${n}`,
  unranked: "Ranked by nobody",
  planted: "the query itself, planted",
  votes: (n: number) => plural(n, "vote", "votes"),
  noVotes: "no votes",
  folded: (list: { id: string; relation: string }[]) => `with ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
  plot: (one: Candidate) =>
    one.votes === 0
      ? "No votes"
      : `${plural(one.votes, "vote", "votes")}; median ${figure(one.median)}, mean ${figure(one.mean)}, standard deviation ${figure(one.deviation)}; quartiles ${figure(one.q1)} to ${figure(one.q3)}, 10 to 90 per cent ${figure(one.p10)} to ${figure(one.p90)}`,
  bar: (values: readonly (number | null)[]) => {
    const tested = values.filter((one): one is number => one !== null);
    return `Tests against ${plural(values.length, "candidate", "candidates")} above${tested.length > 0 ? `; largest ${p(Math.max(...tested))}` : ""}`;
  },
  against: (n: number, value: number | null) => `against number ${n}: ${p(value)}`,
  all: (n: number) => `Show all ${plural(n, "candidate", "candidates")}`,
  fewer: "Show fewer",
  allTables: "Every candidate in every table",
  cut: (shown: number, all: number) => `${shown} of ${all} candidates are shown; below the last border their order is not known.`,
  noGroups: "No border: nothing can be said about the order of these candidates.",
  noCandidates: "No candidate has a vote yet.",
  answered: (n: number) => `${plural(n, "participant", "participants")} answered`,
  agreement: (w: number | null, tau: number | null) => `agreement: Kendall's W ${figure(w)}, mean pairwise τ ${figure(tau)}`,
  consistency: (contradicting: number, pairs: number, share: number | null) => `${contradicting} of ${pairs} pairs contradict the groups${share === null ? "" : ` (${fixed(100 * share, 1)} %)`}`,
  groups: (n: number) => plural(n, "group", "groups"),
  legend: {
    title: "How to read the plots",
    box: "box: first to third quartile; whiskers: bottom and top 10 %",
    vote: "a vote",
    median: "median",
    mean: "mean; dashed: one standard deviation each side",
    bar: "test against one candidate above: height of the dark part is p",
  },
  experience: {
    title: "Experience of the participants",
    years: "Years of musical experience",
    none: "Nobody has told yet.",
    plot: (n: number, median: number | null, mean: number | null) => `${plural(n, "participant", "participants")}; median ${figure(median)}, mean ${figure(mean)} years`,
    instruments: "Instruments",
  },
  made: "Made with Rondo",
  engraver: "Music engraved by Verovio (LGPL), which is part of this file.",
  broken: "This file has no data that can be read.",
};
export type Words = typeof en;
