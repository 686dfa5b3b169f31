// Every word the page of concordances says, in English. The other languages have the same keys.

import { speechOf } from "../../shared/language";
import { commonInEnglish } from "../../shared/texts";

const { number, plural, form } = speechOf("en");

export const en = {
  common: commonInEnglish,
  title: "Concordances",
  heading: "Melodies that are the same tune",
  search: "Search",
  loading: "Loading …",
  login: {
    title: "For editors",
    lead: "With the token you can start a run, and accept or reject what was found. This command prints it:",
    token: "Token",
    go: "Log in",
    wrong: "This is not the token.",
  },
  run: {
    title: "Run",
    none: "No run for concordances has been started in this collection.",
    start: "Find concordances",
    again: "Find again",
    goOn: "Start or resume",
    by: "Threshold",
    probability: "probability",
    score: "score",
    leastProbability: "Minimum, in percent",
    leastScore: "Minimum",
    leastNotes: "Minimum number of notes",
    either: "also melodies that are part of another",
    begins: "The run is starting.",
    running: (share: number, minutes: number) => `${number(share)} % done, about ${plural(minutes, "minute", "minutes")} left.`,
    cancel: "Cancel",
    cancelled: "The run was cancelled. Start it with the same options to resume it.",
    done: (groups: number, melodies: number, compared: number) => `${plural(groups, "group", "groups")} of ${plural(melodies, "melody", "melodies")}; ${number(compared)} were compared.`,
    tooShort: (n: number, least: number) => `${plural(n, "melody", "melodies")} with fewer than ${number(least)} notes ${form(n, "was", "were")} left out.`,
    ended: (time: string, pairs: string) => `Finished ${time}; ${pairs} pairs.`,
    failed: (what: string, hint: string) => `The run failed: ${what}. ${hint}`,
  },
  files: "Export:",
  formats: { pairs: "pairs (CSV)", groups: "groups (CSV)", decisions: "decisions (CSV)", json: "JSON", html: "page", turtle: "RDF", marcxml: "MARCXML" },
  filters: {
    title: "Filters",
    libraries: "across libraries",
    centuries: "across centuries",
    composers: "attributed to different composers",
    undecided: "not yet decided",
    words: "Words",
  },
  groups: {
    title: "Groups",
    count: (shown: number, all: number) => `${number(shown)} of ${plural(all, "group", "groups")}`,
    legend: "All melodies are shown in the key of the first one. Red, with a triangle: another pitch. Blue, with a plus: an additional note; with a minus: a missing one.",
    group: (n: number, size: number) => `Group ${number(n)}: ${plural(size, "melody", "melodies")}`,
    pairs: (found: number, all: number, probability: string) => `${number(found)} of ${plural(all, "pair", "pairs")} found${probability && `; mean probability ${probability}`}`,
    voice: (n: number) => `voice ${number(n)}`,
    centre: "The others are aligned with this melody.",
    evidence: (partners: number, others: number, best: string, score: string, probability: string) => `Found with ${number(partners)} of ${number(others)}; nearest ${best}: score ${score}${probability && `, probability ${probability}`}`,
    staff: (same: number, other: number, added: number, missing: number) => `${plural(same, "note", "notes")} the same, ${number(other)} of another pitch, ${number(added)} additional, ${number(missing)} missing`,
    pages: "Pages of groups",
    previous: "Previous page",
    next: "Next page",
    range: (first: number, last: number, all: number) => `${number(first)} to ${number(last)} of ${number(all)}`,
  },
  decide: {
    accepted: "Accepted.",
    rejected: "Rejected.",
    accept: "Accept",
    reject: "Reject",
    note: "Note",
    noteFor: (name: string) => `Note on ${name}`,
    saved: "Saved.",
  },
};
export type Words = typeof en;
