// Every word the participant's page says, in English. The other languages have the same keys.

import { speechOf } from "../../shared/language";
import { commonInEnglish } from "../../shared/texts";
import type { Move } from "../order";
import type { SaveState } from "../saver";

const { plural } = speechOf("en");

const ordinal = (n: number): string => {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
};

export const en = {
  common: commonInEnglish,
  heading: "Study",
  loading: "One moment …",

  join: {
    title: "Join the study",
    lead: "You were given a personal code. It brings you to your own page, also later and on another device.",
    code: "Your code",
    hint: "Capital or small letters, with or without the dashes.",
    go: "Continue",
    link: "You have followed an open invitation. If you are new here, begin; you will get a code with which you can come back.",
    begin: "Begin",
    known: "I have a code already",
    wrong: "Unknown code. Please compare it with the one you were given.",
    tooMany: (seconds: number) => `Too many attempts. Please wait ${plural(seconds, "second", "seconds")} and try again.`,
    closed: "The study is closed; nobody can join it any more.",
    unknown: "There is no study at this address.",
    failed: "The study could not be opened",
  },
  newCode: {
    title: "Your code",
    lead: "Please write this code down, or keep a picture of it. With it you can stop at any time and continue later, here or on another device. It is shown only now.",
    link: "Or keep this link, which contains it:",
    kept: "I have kept my code",
  },
  welcome: {
    instructions: "Instructions",
    consent: "Consent",
    noConsent:
      "Stored under a number: your rankings and every change on the way to them, with the time; when you joined, agreed and were last here; your years of experience, instruments and remarks, if you choose to answer; and a label, if the researcher gave you one with your code. Your name is not asked for. You may stop at any time, and ask the researcher to delete everything stored about you.",
    agree: "I have read this and agree to take part",
    go: "Continue",
    needed: "Please tick the box if you agree. Without it the study cannot begin.",
  },
  background: {
    title: "About you",
    lead: "Asked once. You may leave out what you would rather not say.",
    years: "Years of musical experience",
    yearsHint: "playing, singing, studying or teaching music",
    yearsWrong: "A number from 0 to 100, please.",
    instruments: "Instruments you play, and voice",
    instrumentsHint: "separated by commas",
    remarks: "Anything else we should know",
    go: "Continue",
  },
  overview: {
    title: "Your progress",
    lead: "Take the queries in this order, or any other. You may stop at any time and change what you have done until the study is closed.",
    query: (n: number) => `Query ${n}`,
    ranked: (n: number, total: number) => (n === 0 ? `${plural(total, "melody", "melodies")}, none ranked yet` : `${n} of ${total} ranked`),
    done: "finished",
    unsent: "not yet sent",
    start: "Begin",
    resume: "Go on",
    doneOf: (n: number, of: number) => `${n} of ${of} queries finished`,
    none: "This study has no queries yet.",
    draft: "The study has not been opened yet. Please come back later.",
  },
  finished: {
    title: "Thank you",
    text: "You have finished every query, and all of it is saved. You may still look at your rankings and change them until the study is closed.",
  },
  closed: "The study is closed. You can look at your rankings but no longer change them.",

  query: {
    label: "The query",
    progress: (n: number, of: number) => `Query ${n} of ${of}`,
    instructions: "Instructions",
    overview: "Overview",
    done: "Finish this query",
    undo: "Open it again",
    undoMove: "Undo",
    redoMove: "Redo",
    doneHint: "Are all the melodies that you find similar above the line? You can still change them later.",
    score: (notes: number) => `The query, ${plural(notes, "note", "notes")}`,
    ranked: "Similar, best first",
    unranked: "Not ranked",
    line: "Above the line: similar to the query, the most similar first. Below: everything else.",
    empty: "Move the melodies that resemble the query here: drag them above the line, or press “Rank it”.",
    allRanked: "Every melody is ranked.",
    keys: "Keys",
    keysList: [
      ["↑ ↓", "to the melody above or below"],
      ["Alt with ↑ ↓", "move the melody; on its handle the arrows alone do"],
      ["Alt with Home", "to the top"],
      ["Delete", "back to the unranked"],
      ["P, Q", "play the melody, play the query"],
      ["N", "to the next unranked melody"],
      ["Ctrl with Z, Y", "undo the last move, redo it"],
    ] as [string, string][],
    keysTie: ["T", "the same rank as the one above, or no longer"] as [string, string],
  },
  card: {
    name: (n: number) => `Melody ${n}`,
    ranked: (rank: number, of: number, tied: boolean) => `${tied ? "shared rank" : "rank"} ${rank} of ${of}`,
    unranked: "not ranked",
    score: (n: number, notes: number) => `Melody ${n}, ${plural(notes, "note", "notes")}`,
    handle: (n: number) => `Move melody ${n}: drag, or press the arrow keys`,
    moves: {
      up: "Up",
      down: "Down",
      top: "To the top",
      out: "To the unranked",
      tie: "Same rank as the one above",
    } as Record<Move, string>,
    rank: "Rank it",
    rankLong: "Rank it, last for now",
    untie: "No longer the same rank as the one above",
  },
  announce: {
    undone: "Last move undone.",
    redone: "Move redone.",
    ranked: (n: number, rank: number, of: number) => `Melody ${n}: ${ordinal(rank)} of ${of}.`,
    tied: (n: number, rank: number, others: number) => `Melody ${n}: shares rank ${rank} with ${plural(others, "other", "others")}.`,
    out: (n: number) => `Melody ${n}: not ranked.`,
    stays: (n: number) => `Melody ${n} stays where it is.`,
    cancelled: "Move cancelled.",
    renewed: "Changed elsewhere in the meantime. The newest version is shown.",
  },
  save: {
    state: {
      saved: "Saved",
      saving: "Saving …",
      offline: "Offline, kept here",
      full: "Not saved yet",
      closed: "Study closed",
      "signed-out": "Signed out, kept here",
      conflict: "Changed elsewhere",
      refused: "Not saved",
    } as Record<SaveState, string>,
    offline: "The server cannot be reached. Go on: your moves are kept in this browser and sent as soon as it answers.",
    full: "The server's disk is full. Nothing that was saved is lost, and your latest moves are kept in this browser. They will be sent as soon as there is room; please tell the people who run the study.",
    closed: "The study was closed. What you did since is kept in this browser but can no longer be sent.",
    signedOut: "You are no longer signed in here. Your latest moves are kept in this browser; please enter your code again to send them.",
    refused: "The server rejected the last change. It is kept in this browser; please tell the people who run the study.",
    noStore: "This browser does not store data for this page. Please do not close the page while it says “Offline”.",
    enter: "Enter the code",
  },
  conflict: {
    title: "Two versions of your ranking",
    lead: "This query was also changed in another window or on another device. Which version do you want to keep?",
    mine: "From this page",
    theirs: "From the other one",
    keepMine: "Keep this page's",
    keepTheirs: "Keep the other one",
    none: "nothing ranked",
    doneMark: "finished",
    where: "only here, or at another rank",
  },
  leave: {
    button: "Stop for now",
    title: "Until next time",
    saved: "Everything is saved.",
    unsent: "Some moves have not reached the server yet. They stay in this browser and are sent when you come back here.",
    how: "To continue, here or on another device, open this address and enter your code:",
    code: "Your code",
    noCode: "Your code is the one you were given with the invitation.",
    back: "Go on now",
    note: "You are now signed out on this device.",
  },
  problem: { title: "That did not work", signIn: "Please enter your code." },
};
export type Words = typeof en;
