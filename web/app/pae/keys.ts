// The computer's keys as a piano: two rows, by place on the keyboard and not by letter, so that any layout works.

export type Action =
  | { kind: "note"; semitone: number }
  | { kind: "length"; figure: string }
  | { kind: "dot" | "rest" | "bar" | "tie" | "back" }
  | { kind: "octave"; by: 1 | -1 };

const kRow = "KeyA KeyW KeyS KeyE KeyD KeyF KeyT KeyG KeyY KeyH KeyU KeyJ KeyK KeyO KeyL KeyP Semicolon".split(" ");
const kFigures = ["1", "2", "4", "8", "6", "3"];

const kOthers: Record<string, Action> = {
  Period: { kind: "dot" },
  Comma: { kind: "rest" },
  Minus: { kind: "rest" },
  Slash: { kind: "bar" },
  Equal: { kind: "tie" },
  Backspace: { kind: "back" },
  KeyZ: { kind: "octave", by: -1 },
  KeyX: { kind: "octave", by: 1 },
};

/** Keys held with control, alt or the command key belong to the browser. */
export function actionOf(event: Pick<KeyboardEvent, "code" | "ctrlKey" | "altKey" | "metaKey">): Action | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const semitone = kRow.indexOf(event.code);
  if (semitone >= 0) return { kind: "note", semitone };
  const figure = /^Digit([1-6])$/.exec(event.code);
  if (figure) return { kind: "length", figure: kFigures[Number(figure[1]) - 1] ?? "4" };
  return kOthers[event.code] ?? null;
}

/** The letter to print on a piano key, for a keyboard as in Britain. */
export const letterOf = (semitone: number): string =>
  (kRow[semitone] ?? "").replace("Key", "").replace("Semicolon", ";");
