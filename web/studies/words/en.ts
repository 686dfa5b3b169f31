// Every word of the researcher's pages, in English. The other languages have the same keys.

import { speechOf } from "../../shared/language";
import { commonInEnglish } from "../../shared/texts";
import type { Rule } from "../../tables/data";
import type { Pick, StudyState } from "../api";

const { plural } = speechOf("en");

const kInstructions = `Move the melodies that resemble the query above the line, the most similar first. Everything that does not resemble it stays below the line. There is no fixed number: rank as many or as few as you find similar, and look through all of them before you finish a query.

- The same melody in another key counts as identical: only the melody itself matters, not how high or low it is.
- Another clef or another way of writing that sounds the same counts as identical.
- If one melody is longer than the other, compare only the part that both have.
- The sound is there to help you read; its tempo and its instrument do not matter.

You need not do everything at once. Every move is saved as you make it, and with your code you can continue where you stopped, on any device.`;

// Exactly what the program stores of a participant (src/study/schema.cpp). Whoever stores more must say so here.
const kConsent = `What is stored about you, under a number:

- your rankings, and every change on the way to them, with the time;
- when you joined, when you agreed to this text, and when you were last here;
- your years of experience, your instruments and your remarks, if you choose to answer;
- a label, if the researcher gave you one with your code. It need not be your name.

Your name is not asked for, and the address of your device is not stored. A cookie keeps you signed in on this device until you leave or it expires. Rankings and answers are kept for research and may be published under the number, without the label.

You may stop at any time. If you ask the researcher, everything stored about you is deleted and you get a receipt; only the number of people who withdrew is kept. What was published before cannot be withdrawn.`;

export const en = {
  common: commonInEnglish,
  standardInstructions: kInstructions,
  standardConsent: kConsent,
  title: "Studies",
  search: "Search",
  logout: "Log out",
  loading: "One moment …",
  states: { draft: "draft", open: "open", closed: "closed" } as Record<StudyState, string>,
  simulated: "simulated",
  failed: "That did not work",

  login: {
    title: "Studies",
    lead: "For the researcher of this collection. This command creates the token:",
    command: "rondo study token --db FILE",
    token: "Token",
    go: "Log in",
    wrong: "This is not the researcher's token.",
    tooMany: (seconds: number) => `Too many attempts. Please wait ${plural(seconds, "second", "seconds")}.`,
    participant: "You are taking part in a study on this device. Participants cannot see results.",
  },
  list: {
    new: "New study",
    none: "There is no study yet.",
    noneHint: "A study asks people to rank candidates by their similarity to a query, and derives a ground truth from the rankings.",
    columns: { title: "Study", state: "State", queries: "Queries", participants: "Participants", finished: "Finished", votes: "Votes" },
  },
  create: {
    title: "New study",
    name: "Name in addresses",
    nameHint: "small letters, digits and dashes",
    heading: "Title",
    headingHint: "participants see it",
    sets: "Queries",
    setsHint: "Each saved candidate set is one query with its candidates. They are copied: later changes of the collection do not affect the study.",
    noSets: "There are no saved candidate sets. Make one with",
    noSetsCommand: "rondo candidates make NAME --db FILE …",
    setOf: (query: string, n: number, dropped: number, undecided: number) =>
      `${query}, ${plural(n, "candidate", "candidates")}${dropped > 0 ? `; ${dropped} dropped, ${undecided} undecided` : ""}`,
    instructions: "Instructions",
    consent: "Consent",
    prose: "Empty lines separate paragraphs; lines that begin with a dash form a list.",
    ties: "Participants may give several melodies the same rank",
    plant: "Plant each query among its own candidates, as an attention check",
    go: "Create the study",
    chooseSets: "Please choose at least one candidate set.",
    cancel: "Cancel",
  },
  study: {
    queries: "Queries",
    candidates: (n: number) => plural(n, "candidate", "candidates"),
    participants: "Participants",
    none: "Nobody has been invited yet.",
    columns: { who: "Participant", joined: "Joined", seen: "Last seen", progress: "Ranked per query", state: "State" },
    finished: "finished",
    begun: "in progress",
    invited: "invited",
    consented: "agreed",
    progress: (finished: number, all: number) => `${finished} of ${plural(all, "participant", "participants")} finished`,
    cell: (query: number, ranked: number, total: number, done: boolean) => `Query ${query}: ${ranked} of ${total} ranked${done ? ", finished" : ""}`,
    open: "Open the study",
    openHint: "Participants can begin as soon as it is open. Ties can be allowed or forbidden only before.",
    close: "Close the study",
    reopen: "Open it again",
    closeAsk: "Participants will no longer be able to change anything. Close it?",
    closeYes: "Yes, close it",
    no: "No",
    refresh: "Refresh",
    settings: "Texts",
    save: "Save",
    saved: "Saved.",
    pages: "Pages of the study",
    overview: "Progress",
    truth: "Ground truth",
    audit: "Log",
    downloads: "Downloads",
    votesCsv: "Votes (CSV)",
    votesJson: "Votes (JSON)",
    whole: "Whole study (JSON)",
    importVotes: "Votes from elsewhere",
    importHint: "A CSV table with the columns participant, query, candidate, rank; for a label that was imported before, the new votes replace the old ones.",
    imported: (participants: number, votes: number) => `${plural(votes, "vote", "votes")} of ${plural(participants, "participant", "participants")} imported.`,
    newCode: "New code",
    newCodeFor: (number: number) => `New code for participant ${number}`,
    newCodeHint: "The old code no longer works; the answers remain.",
    simulated: "Simulated votes, not given by people.",
    care: "Response quality",
    careOf: (care: { planted: number; misplaced: number; unchanged: number; seconds: number | null }) =>
      [
        care.planted > 0 ? `query not first: ${care.misplaced} of ${care.planted}` : "",
        care.unchanged > 0 ? `finished without ranking: ${care.unchanged}` : "",
        care.seconds !== null ? `median ${Math.round(care.seconds)} s per ranking` : "",
      ]
        .filter(Boolean)
        .join("; ") || "–",
    people: "Votes",
    leaveOut: "Leave out",
    leaveOutFor: (number: number) => `Leave out participant ${number}`,
    leaveOutAsk: "Reason, printed with the ground truth:",
    countAgain: "Count again",
    countAgainFor: (number: number) => `Count participant ${number} again`,
    leftOut: (reason: string) => `left out: ${reason}`,
    withdraw: "Delete data",
    withdrawFor: (number: number) => `Delete data of participant ${number}`,
    withdrawAsk: (number: number) => `Delete all data about participant ${number}? This cannot be undone. Only the number of withdrawals is kept.`,
    receipt: (study: string, at: string, answers: number, moves: number) =>
      `Receipt: on ${at} all data of one participant of the study ${study} were deleted, ${plural(answers, "answer", "answers")} and ${plural(moves, "saved step", "saved steps")}.`,
    withdrawn: (count: number) => `${plural(count, "participant", "participants")} withdrew; the data were deleted.`,
  },
  invite: {
    title: "Invite",
    labels: "Labels (optional), one line for each participant",
    labelsHint: "Only you see a label. It is stored with the answers and in exports of the whole study, so a number serves better than a name.",
    count: "Or the number of codes",
    go: "Create codes",
    once: "These codes are shown only now. Copy or download them before you leave the page.",
    csv: "Download as CSV",
    copyAll: "Copy all",
    columns: { label: "Label", code: "Code", link: "Link" },
    link: "Open link",
    linkHint: "Everybody who has the link can take part; each gets a code of their own.",
    linkOn: "Create an open link",
    linkNew: "Create a new open link (the old one stops working)",
    linkOff: "End the open link",
    linkActive: "There is an open link.",
    linkOnce: "Shown only now:",
  },
  truth: {
    rule: "Grouping rule",
    rules: { paper: "Every one above (as published)", all: "All of the group", any: "Any of the group", previous: "The one before" } as Record<Rule, string>,
    threshold: "Threshold for p",
    standard: (p: number) => `Back to ${p}`,
    complete: "Show every candidate",
    unfinished: "Count unfinished rankings",
    minimum: "Minimum votes per candidate",
    updating: "Updating …",
    summary: "Groups by query",
    against: "compared with the published rule at p < 0.25",
    columns: { query: "Query", groups: "Groups", change: "Change", pairs: "Contradicting pairs", w: "Kendall's W", tau: "Mean τ", votes: "Answered" },
    same: "same",
    change: (groups: number, borders: number) => `${groups === 0 ? "groups ±0" : `groups ${groups > 0 ? "+" : "−"}${Math.abs(groups)}`}, ${plural(borders, "border", "borders")} moved`,
    groups: "Truth (groups)",
    qrels: "Truth (qrels)",
    json: "Truth (JSON)",
    tables: "Tables as a file (HTML)",
    none: "There are no votes yet. The tables appear with the first ranking.",
    said: (groups: number) => `${plural(groups, "group", "groups")} in all`,
  },
  candidates: {
    title: "Pick candidates",
    sets: "Candidate sets",
    pick: "Pick candidates",
    query: "Query:",
    keep: "Keep",
    drop: "Drop",
    undo: "Undo",
    dropRest: (n: number) => `Drop the ${n} undecided`,
    number: (n: number) => `candidate ${n}`,
    card: (n: number, name: string, pick: Pick) => `Candidate ${n}: ${name}, ${{ keep: "kept", drop: "dropped", undecided: "undecided" }[pick]}`,
    show: "Show",
    filters: { all: "All", undecided: "Undecided", keep: "Kept", drop: "Dropped" } as Record<Pick | "all", string>,
    counts: (keep: number, drop: number, undecided: number) => `${keep} kept, ${drop} dropped, ${undecided} undecided`,
    shownHint: (n: number) => `A study made of this set now will show ${plural(n, "candidate", "candidates")}: all that are not dropped. Studies that were made before do not change.`,
    why: "Proposed by",
    found: (by: string, rank: number | undefined) =>
      rank !== undefined ? `${by}, rank ${rank}` : by === "filter" ? "filter: passed every step" : by === "title" ? "words of its title" : by === "hand" ? "by hand" : by,
    folded: (list: { id: string; relation: string }[]) => `Also represents ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
    funnel: (total: number, left: number) => `Filter: ${plural(left, "melody", "melodies")} left of ${total}`,
    step: (step: string, excluded: number, percent: number, left: number) => `${step}: excluded ${excluded} (${percent.toFixed(0)} %), left ${left}`,
    missing: "The collection no longer has this melody.",
    none: "There is no such candidate.",
    saving: "Saving …",
    saved: "Saved.",
    said: (n: number, pick: Pick) => `${plural(n, "candidate", "candidates")} ${{ keep: "kept", drop: "dropped", undecided: "undecided" }[pick]}.`,
    undone: "Undone.",
    keys: "Keyboard",
    keysList: [
      ["↓ or J, ↑", "next and previous candidate"],
      ["K", "keep it, and go to the next"],
      ["D", "drop it, and go to the next"],
      ["U", "undecided again"],
      ["P", "play it"],
      ["Q", "play the query"],
      ["Ctrl Z", "undo"],
    ] as [string, string][],
  },
  audit: { title: "Actions of the researcher", columns: { at: "When", who: "Who", what: "What", detail: "Detail" }, none: "Nothing yet." },
  missing: "There is no such study.",
};
export type Words = typeof en;
