import { alterations } from "./header";

/** What the notation up to some place leaves in force for the next note. */
export interface Sticky {
  octave: number;
  /** The figures in force, "4" or "8."; more than one is a rhythmic pattern. */
  lengths: string[];
  /** Alterations written in this bar, by note name. */
  accidentals: Map<string, number>;
  key: Map<string, number>;
}

const kSigns: Record<string, number> = { "": 0, n: 0, x: 1, xx: 2, b: -1, bb: -2 };

// In the order in which they are tried. Numbers that are no lengths (of rests of bars, tuplets) go with their mark.
const kTokens = [
  { kind: "octave", pattern: /'+|,+/y },
  { kind: "other", pattern: /=\d*|;\d+/y },
  { kind: "key", pattern: /\$\S*\s?/y },
  { kind: "other", pattern: /[%@]\S*\s?/y },
  { kind: "lengths", pattern: /(?:\d\.*)+/y },
  { kind: "note", pattern: /(xx|x|bb|b|n)?([A-G])/y },
  { kind: "bar", pattern: /\/\/?:?|:\/\/:?/y },
  { kind: "rest", pattern: /-/y },
] as const;

export interface Token {
  kind: (typeof kTokens)[number]["kind"] | "mark";
  text: string;
  at: number;
}

export function tokens(notes: string): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < notes.length; ) {
    let token: Token = { kind: "mark", text: notes.charAt(at), at };
    for (const { kind, pattern } of kTokens) {
      pattern.lastIndex = at;
      const found = pattern.exec(notes);
      if (!found?.[0]) continue;
      token = { kind, text: found[0], at };
      break;
    }
    result.push(token);
    at += token.text.length;
  }
  return result;
}

export const octaveOf = (marks: string): number => (marks.startsWith("'") ? 3 + marks.length : 4 - marks.length);
export const octaveMarks = (octave: number): string => (octave >= 4 ? "'".repeat(octave - 3) : ",".repeat(4 - octave));

/** Reads the notes before a caret. Nothing is an error here: whatever is not understood leaves things as they are. */
export function sticky(notes: string, key: string): Sticky {
  const state: Sticky = { octave: 4, lengths: [], accidentals: new Map(), key: alterations(key) };
  for (const { kind, text } of tokens(notes)) {
    if (kind === "octave") state.octave = octaveOf(text);
    else if (kind === "lengths") state.lengths = text.match(/\d\.*/g) ?? [];
    else if (kind === "bar") state.accidentals.clear();
    else if (kind === "key") state.key = alterations(text);
    else if (kind === "note" && text.length > 1)
      state.accidentals.set(text.slice(-1), kSigns[text.slice(0, -1)] ?? 0);
  }
  return state;
}
