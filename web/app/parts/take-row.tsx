// What was played or sung, and the tempo at which it is written; whoever knows better says so.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { kFastest, kSlowest, tappedTempo } from "../hear/rhythm";
import { tempoOf, type Take } from "../hear/take";
import { t } from "../texts";

const kForgotten = 2.5; // seconds after which taps begin anew

interface Props {
  take: Take;
  setTempo: (tempo: number) => void;
  again: () => void;
}

export function TakeRow({ take, setTempo, again }: Props): JSX.Element {
  const tempo = tempoOf(take);
  const [typed, setTyped] = useState(String(tempo));
  const taps = useRef<number[]>([]);
  useEffect(() => setTyped(String(tempo)), [tempo]);
  const choose = (wanted: number) => setTempo(Math.round(Math.min(kFastest, Math.max(kSlowest, wanted))));
  const tap = (time: number) => {
    const last = taps.current.at(-1);
    taps.current = last !== undefined && time - last < kForgotten ? [...taps.current.slice(-7), time] : [time];
    const found = tappedTempo(taps.current);
    if (found > 0) choose(found);
  };
  return (
    <div class="take tools" role="group" aria-label={t.take.label}>
      <span class="take-notes" role="status">
        {t.take.notes(take.notes.length)}
      </span>
      <label class="take-tempo">
        <span aria-hidden="true">♩ =</span>
        <span class="hidden">{t.take.tempo}</span>
        <input
          type="number"
          min={kSlowest}
          max={kFastest}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            const wanted = event.currentTarget.valueAsNumber;
            if (wanted >= kSlowest && wanted <= kFastest) choose(wanted);
          }}
        />
        <small>{take.tempo ? t.take.chosen : t.take.estimated}</small>
      </label>
      <button type="button" class="tool" title={t.take.half} onClick={() => choose(tempo / 2)}>
        <span aria-hidden="true">÷2</span>
        <span class="hidden">{t.take.half}</span>
      </button>
      <button type="button" class="tool" title={t.take.double} onClick={() => choose(tempo * 2)}>
        <span aria-hidden="true">×2</span>
        <span class="hidden">{t.take.double}</span>
      </button>
      <button type="button" class="tool wide" onPointerDown={(event) => tap(event.timeStamp / 1000)} onClick={(event) => event.detail === 0 && tap(event.timeStamp / 1000)}>
        {t.take.tap}
      </button>
      <button type="button" class="text" onClick={again}>
        {t.take.again}
      </button>
    </div>
  );
}
