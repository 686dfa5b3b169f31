import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Score } from "../../shared/engrave/score";
import { usePlayingKey, type Asked } from "../../shared/hooks";
import { ApiError, told } from "../../shared/http";
import { Icon } from "../../shared/parts/icon";
import { PlayButton } from "../../shared/parts/play-button";
import { api, type Query } from "../api";
import type { Update } from "../hooks";
import { asOneLine, isOneLine, splitLine, withSignature } from "../pae/header";
import { insertMark, insertNote, insertRest, takeBack, type Text } from "../pae/typing";
import { asks, type State } from "../state";
import { t } from "../texts";
import { Box } from "./box";
import { Piano, type Press } from "./piano";
import { SignatureChoice } from "./signature";

export const kQueryKey = "query";

interface Props {
  state: State;
  update: Update;
  query: Asked<Query & { title?: string }>;
  matched: readonly number[];
}

/** The octave in which a melody in this clef usually lies. */
const octaveOf = (clef: string): number => (/^F/.test(clef) ? 3 : /^(C-[34]|g)/.test(clef) ? 3 : 4);

function pressed(text: string, caret: number, press: Press): Text {
  if (press.kind === "note") return insertNote(text, caret, press.midi, press.length);
  if (press.kind === "rest") return insertRest(text, caret, press.length);
  if (press.kind === "back") return takeBack(text, caret);
  return insertMark(text, caret, press.kind === "bar" ? "/" : "+");
}

export function QueryPanel({ state, update, query, matched }: Props): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef(state.q.length);
  const wanted = useRef<number | null>(null);
  const [voices, setVoices] = useState<string[]>([]);
  const [fileProblem, setFileProblem] = useState("");
  const [over, setOver] = useState(false);
  const playing = usePlayingKey();
  // Whoever comes with a melody has come for the results.
  const [pianoOpen] = useState(!asks(state));

  const found = query.data;
  const text = state.id ? "" : state.q;
  const oneLine = isOneLine(text);
  // Two keys may come before the page is drawn again.
  const latest = useRef(text);
  latest.current = text;
  const shown = state.id || text.trim() ? found : null;
  const [warning] = found?.warnings ?? [];
  const remark = warning ? { status: 200, title: "", detail: warning.message, code: warning.code, ...(warning.column ? { column: warning.column } : {}) } : null;
  const asPae = () => (found ? asOneLine(found.pae, found) : "");

  const write = (q: string, at = q.length) => {
    latest.current = q;
    caret.current = at;
    wanted.current = at;
    update({ q, id: "", offset: 0 }, "typing");
  };
  // After the piano has typed, the caret stands behind what it typed.
  useEffect(() => {
    if (wanted.current === null) return;
    area.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  });

  const onPress = (press: Press) => {
    const typed = latest.current;
    const from = state.id || !isOneLine(typed) ? asPae() : typed;
    const at = from === typed ? caret.current : from.length;
    const next = pressed(from, Math.min(at, from.length), press);
    write(next.text, next.caret);
  };

  const open = async (file: File | undefined) => {
    if (!file) return;
    setFileProblem("");
    try {
      const read = await api.upload(file);
      const all = (read.voices ?? []).map((voice) => asOneLine(voice.pae, read));
      setVoices(all.length > 1 ? all : []);
      const q = all[0] ?? asOneLine(read.pae, read);
      caret.current = q.length;
      update({ q, id: "", offset: 0 });
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : null;
      setFileProblem(problem ? told(problem) : "");
    }
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void open(event.dataTransfer?.files[0]);
  };

  const signature = oneLine ? splitLine(text).signature : { clef: found?.clef ?? "", key: found?.key ?? "", time: found?.time ?? "" };
  return (
    <section
      class={`query${over ? " over" : ""}`}
      aria-labelledby="query-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 id="query-title" class="hidden">
        {t.query.title}
      </h2>
      <div class="stand">
        {shown?.mei ? (
          <Score mei={shown.mei} notes={shown.notes.length} matched={matched} scale={52} urgent label={t.query.score(shown.notes.length)} playing={playing === kQueryKey ? kQueryKey : ""} />
        ) : (
          <p class="empty-staff">{!query.problem && !query.busy && <span>{t.query.empty}</span>}</p>
        )}
        {shown && <PlayButton id={kQueryKey} notes={shown.notes} what={t.results.yours} />}
      </div>
      {state.id ? (
        <div class="row by-id">
          <p>{t.query.similarTo(found?.title || state.id)}</p>
          <button type="button" disabled={!found} onClick={() => update({ q: asPae(), id: "", offset: 0 })}>
            {t.query.edit}
          </button>
          <button type="button" onClick={() => update({ id: "", q: "", offset: 0 })}>
            {t.query.clear}
          </button>
        </div>
      ) : (
        <Box text={text} problem={text.trim() ? (query.problem ?? remark) : null} mild={!query.problem} area={area} typed={(q) => write(q, area.current?.selectionStart ?? q.length)} moved={(at) => (caret.current = at)} />
      )}
      <div class="row under">
        <SignatureChoice
          signature={signature}
          disabled={!oneLine || Boolean(state.id)}
          change={(change) => {
            const q = withSignature(text, change);
            caret.current = q.length;
            update({ q, offset: 0 });
          }}
        />
        <label class="file button" title={t.query.uploadHint}>
          <Icon name="file" /> {t.query.upload}
          <input
            type="file"
            class="hidden"
            onChange={(event) => {
              void open(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </label>
        {text && (
          <button type="button" onClick={() => update({ q: "", id: "", offset: 0 })}>
            {t.query.clear}
          </button>
        )}
        {text && !oneLine && found && (
          <button type="button" onClick={() => update({ q: asPae() })}>
            {t.query.convert}
          </button>
        )}
        {shown && !state.id && (
          <p class="note read">{t.query.read(t.formats[shown.format ?? "pae"] ?? shown.format ?? "", shown.notes.length)}</p>
        )}
      </div>
      {voices.length > 1 && (
        <label class="choice">
          <span>{t.query.voices}</span>
          <select value={text} onChange={(event) => update({ q: event.currentTarget.value })}>
            {voices.map((q, i) => (
              <option key={i} value={q}>
                {t.query.voice(i + 1)}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="problem" role="alert">
        {fileProblem && `${t.query.failedFile}: ${fileProblem}`}
      </p>
      <details class="piano-box" open={pianoOpen}>
        <summary>{t.piano.title}</summary>
        <Piano press={onPress} octave={octaveOf(signature.clef)} />
      </details>
      {over && <div class="drop">{t.query.drop}</div>}
    </section>
  );
}
