import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shared/parts/icon";
import { t } from "../texts";

const kNoteOn = 0x90;
const kNoteOff = 0x80;

/** The note of a message that begins or ends one; some keyboards send "on" without force for "off". */
export function noteOf(data: Uint8Array | null | undefined): { midi: number; on: boolean } | null {
  const [status = 0, midi, force = 0] = data ?? [];
  const kind = status & 0xf0;
  if (midi === undefined || (kind !== kNoteOn && kind !== kNoteOff)) return null;
  return { midi, on: kind === kNoteOn && force > 0 };
}

interface Props {
  opened: () => void;
  /** Times in seconds. */
  down: (midi: number, time: number) => void;
  up: (midi: number, time: number) => void;
}

export function MidiButton({ opened, down, up }: Props): JSX.Element {
  const [said, setSaid] = useState("");
  const access = useRef<MIDIAccess | null>(null);
  const latest = useRef({ down, up });
  latest.current = { down, up };

  const listen = (midi: MIDIAccess) => {
    for (const input of midi.inputs.values()) {
      input.onmidimessage = ({ data, timeStamp }) => {
        const note = noteOf(data);
        if (note) latest.current[note.on ? "down" : "up"](note.midi, (timeStamp ?? performance.now()) / 1000);
      };
    }
    setSaid(t.piano.midiOn(midi.inputs.size));
  };
  const open = async () => {
    if (!("requestMIDIAccess" in navigator)) return setSaid(t.piano.midiNone);
    try {
      const midi = await navigator.requestMIDIAccess();
      access.current = midi;
      midi.onstatechange = () => listen(midi);
      listen(midi);
      opened();
    } catch {
      setSaid(t.piano.midiRefused);
    }
  };
  useEffect(
    () => () => {
      if (!access.current) return;
      access.current.onstatechange = null;
      for (const input of access.current.inputs.values()) input.onmidimessage = null;
    },
    [],
  );

  return (
    <span class="midi">
      <button type="button" class="tool wide" onClick={open}>
        <Icon name="keys" /> {t.piano.midi}
      </button>
      <span class="note" role="status">
        {said}
      </span>
    </span>
  );
}
