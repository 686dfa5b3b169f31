import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { currentTempo, setTempo } from "../playback/player";
import { common } from "../texts";

export function Tempo(): JSX.Element {
  const [tempo, set] = useState(currentTempo());
  return (
    <label class="tempo">
      <span class="hidden">{common.play.tempo}</span>
      <input
        type="range"
        min={40}
        max={200}
        step={4}
        value={tempo}
        onInput={(event) => {
          set(event.currentTarget.valueAsNumber);
          setTempo(event.currentTarget.valueAsNumber);
        }}
      />
      <span aria-hidden="true">{common.play.bpm(tempo)}</span>
    </label>
  );
}
