// Small pictures drawn here; they say nothing that a label does not.

import type { JSX } from "preact";

const kFlags: Record<string, number> = { "8": 1, "6": 2, "3": 3 };

/** A note of this length. */
export function NoteIcon({ figure }: { figure: string }): JSX.Element {
  const open = figure === "1" || figure === "2";
  const flags = kFlags[figure] ?? 0;
  return (
    <svg class="icon note-icon" viewBox="0 0 18 26" aria-hidden="true">
      <ellipse cx="6.500" cy="20.500" rx="4.600" ry="3.300" transform="rotate(-20 6.500 20.500)" class={open ? "open" : "full"} />
      {figure !== "1" && <path d="M10.800 19V3" class="stroke" />}
      {Array.from({ length: flags }, (_, i) => (
        <path key={i} d={`M10.800 ${3 + i * 4.2}c.5 3 5.200 3.500 4 8.200`} class="stroke" />
      ))}
    </svg>
  );
}

const kPaths: Record<string, string> = {
  play: "M6 4l13 8-13 8z",
  stop: "M6 6h12v12H6z",
  next: "M6 9l6 6 6-6",
  previous: "M6 15l6-6 6 6",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  back: "M20 6H9l-6 6 6 6h11zM11 10l4 4M15 10l-4 4",
  rest: "M10 3l5 6c-3 2-3 4 0 7-4-1-6 1-3 5",
  bar: "M12 4v16",
  tie: "M4 10c4 7 12 7 16 0",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  up: "M12 19V6M6 11l6-6 6 6",
  down: "M12 5v13M6 13l6 6 6-6",
  top: "M5 4h14M12 20V9M6 14l6-6 6 6",
  out: "M5 20h14M12 4v11M6 10l6 6 6-6",
  grip: "M9 5h.01M15 5h.01M9 12h.01M15 12h.01M9 19h.01M15 19h.01",
  tick: "M5 13l5 5L19 7",
  download: "M12 4v11M7 10l5 5 5-5M5 20h14",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  record: "M12 6a6 6 0 1 0 .01 0z",
  basket: "M4 9h16l-2 11H6zM8 9l3-6M16 9l-3-6",
  keys: "M4 5h16v14H4zM9 5v9M15 5v9M9 14v5M15 14v5",
};

export const Icon = ({ name }: { name: keyof typeof kPaths }): JSX.Element => (
  <svg class={name === "play" || name === "stop" ? "icon solid" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
    <path d={kPaths[name]} />
  </svg>
);
