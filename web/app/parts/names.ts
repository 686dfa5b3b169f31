// Notes and lengths as words.

import type { Spelled } from "../pae/typing";
import { t } from "../texts";

const kSigns = ["𝄫", "♭", "", "♯", "𝄪"];

export const nameOfNote = ({ name, alteration, octave }: Spelled): string => `${name}${kSigns[alteration + 2] ?? ""}${octave}`;

export const nameOfLength = (length: string): string => {
  const plain = t.piano.lengths[length.charAt(0)] ?? length;
  return length.endsWith(".") ? t.piano.dotted(plain) : plain;
};

const kNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"];

export const nameOfMidi = (midi: number): string => `${kNames[((midi % 12) + 12) % 12]}${Math.floor(midi / 12) - 1}`;
