import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shared/parts/icon";
import { t } from "../texts";

const kNoteOn = 0x90;

/** The note of a message that begins one; some keyboards send "on" without force for "off". */
export function noteOn(data: Uint8Array | null | undefined): number | null {
  if (!data || data.length < 3 || ((data[0] ?? 0) & 0xf0) !== kNoteOn || data[2] === 0) return null;
  return data[1] ?? null;
}

/** Listens to MIDI keyboards once asked to: a browser may want permission, so nothing is opened unasked. */
export function MidiButton({ play }: { play: (midi: number) => void }): JSX.Element {
  const [said, setSaid] = useState("");
  const access = useRef<MIDIAccess | null>(null);
  const latest = useRef(play);
  latest.current = play;

  const listen = (midi: MIDIAccess) => {
    for (const input of midi.inputs.values()) {
      input.onmidimessage = ({ data }) => {
        const note = noteOn(data);
        if (note !== null) latest.current(note);
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
