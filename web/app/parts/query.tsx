import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePlayingKey, type Asked } from "../../shared/hooks";
import { told, problemOf } from "../../shared/http";
import { Icon } from "../../shared/parts/icon";
import { PlayButton } from "../../shared/parts/play-button";
import { api, type Query } from "../api";
import { emptyTake, writeTake, type Take } from "../hear/take";
import type { Update } from "../hooks";
import { asOneLine, isOneLine, splitLine, withSignature } from "../pae/header";
import { insertMark, insertNote, insertRest, takeBack, type Length, type Text } from "../pae/typing";
import { asks, kModes, type State } from "../state";
import { t } from "../texts";
import { Box } from "./box";
import { Piano, type Press } from "./piano";
import { SignatureChoice } from "./signature";
import { Sing } from "./sing";
import { Staff } from "./staff";
import { TakeRow } from "./take-row";
import { Tap } from "./tap";

export const kQueryKey = "query";

interface Props {
  state: State;
  update: Update;
  query: Asked<Query & { title?: string }>;
  matched: readonly number[];
  /** Notes that the chosen system needs at least. */
  least: number;
}

const kTyping = 1200; // milliseconds after a key in which a mistake may still become right
/** There is nothing wrong with a melody that has only begun. */
const kUnfinished = ["pae-no-notation", "query-empty", "query-short"];

const kWays = ["piano", "sing", "tap"] as const;
type Way = (typeof kWays)[number];

/** The octave in which a melody in this clef usually lies. */
const octaveOf = (clef: string): number => (/^F/.test(clef) ? 3 : /^(C-[34]|g)/.test(clef) ? 3 : 4);

function pressed(text: string, caret: number, press: Press): Text {
  if (press.kind === "note") return insertNote(text, caret, press.midi, press.length);
  if (press.kind === "rest") return insertRest(text, caret, press.length);
  if (press.kind === "back") return takeBack(text, caret);
  return insertMark(text, caret, press.kind === "bar" ? "/" : "+");
}

/** What was opened: the file, the names of its pieces, and the voices of the one that is shown. */
interface Opened {
  file: File;
  format: string;
  pieces: string[];
  piece: number;
  voices: { name: string; q: string }[];
}

/** Texts before and after the one that is shown, as far as the page itself wrote them. */
interface Steps {
  past: string[];
  future: string[];
}
const kSteps = 200;

export function QueryPanel({ state, update, query, matched, least }: Props): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef(state.q.length);
  const wanted = useRef<number | null>(null);
  const steps = useRef<Steps>({ past: [], future: [] });
  const [opened, setOpened] = useState<Opened | null>(null);
  const [fileProblem, setFileProblem] = useState("");
  const [over, setOver] = useState(false);
  // Whoever comes with a melody has come for the results.
  const [way, setWay] = useState<Way | "">(asks(state) ? "" : "piano");
  const [take, setTake] = useState<Take | null>(null);
  const [round, setRound] = useState(0);
  const [recording, setRecording] = useState(false);
  const [length, setLength] = useState<Length>({ figure: "4", dotted: false });
  const playing = usePlayingKey();
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    if (!typing) return undefined;
    const timer = setTimeout(() => setTyping(false), kTyping);
    return () => clearTimeout(timer);
  }, [typing, state.q]);

  const found = query.data;
  const text = state.id ? "" : state.q;
  // Note names, degrees and the like look like a line of Plaine & Easie; the server says what they are.
  const kind = found?.read?.kind ?? "pae";
  const oneLine = isOneLine(text) && (!text.trim() || kind === "pae");
  // Two keys may come before the page is drawn again.
  const latest = useRef(text);
  latest.current = text;
  const shown = state.id || text.trim() ? found : null;
  const [warning] = found?.warnings ?? [];
  const remark = warning ? { status: 200, title: "", detail: warning.message, code: warning.code, ...(warning.column ? { column: warning.column } : {}) } : null;
  const unfinished = kUnfinished.includes(query.problem?.code ?? "");
  const asPae = () => (found ? asOneLine(found.pae, found) : "");

  const write = (q: string, at = q.length, change: Partial<State> = {}, how: "typing" | "same" = "typing") => {
    latest.current = q;
    caret.current = at;
    wanted.current = at;
    update({ q, id: "", offset: 0, ...change }, how);
  };
  /** As `write`, for what can be undone; a take is one step, and ends where something else is written. */
  const edit = (q: string, at = q.length, change: Partial<State> = {}, next: Take | null = null) => {
    const goesOn = next !== null && take !== null && take.notes.length > 0;
    if (q !== latest.current && !goesOn) steps.current = { past: [...steps.current.past.slice(-kSteps), latest.current], future: [] };
    setTake(next);
    write(q, at, change, goesOn ? "same" : "typing");
  };
  const undo = () => {
    const before = steps.current.past.pop();
    if (before === undefined) return;
    steps.current.future.push(latest.current);
    setTake(null);
    write(before);
  };
  const redo = () => {
    const after = steps.current.future.pop();
    if (after === undefined) return;
    steps.current.past.push(latest.current);
    setTake(null);
    write(after);
  };
  // After the piano has typed, the caret stands behind what it typed.
  useEffect(() => {
    if (wanted.current === null) return;
    area.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  });

  const onPress = (press: Press) => {
    const typed = latest.current;
    const from = state.id || !isOneLine(typed) || (typed.trim() && !oneLine) ? asPae() : typed;
    const at = from === typed ? caret.current : from.length;
    const next = pressed(from, Math.min(at, from.length), press);
    edit(next.text, next.caret);
  };

  /** The clef, key and time that stand before the notes now; what is played goes under them. */
  const head = () => (oneLine && isOneLine(latest.current) ? splitLine(latest.current).head : "");
  const onTake = (next: Take) => {
    // Of a rhythm only the rhythm is to be found; notes with pitches are looked for as before.
    const change: Partial<State> = next.rhythmOnly ? { system: kModes.rhythm, set: {} } : take?.rhythmOnly && state.system === kModes.rhythm ? { system: "", set: {} } : {};
    const q = writeTake(next, head());
    edit(q, q.length, change, next);
  };
  const onNotes = (notes: Take["notes"], rhythmOnly: boolean) => {
    const tempo = take && take.rhythmOnly === rhythmOnly ? take.tempo : 0;
    onTake({ notes, tempo, rhythmOnly });
  };
  const again = () => {
    setRound(round + 1);
    const rhythmOnly = take?.rhythmOnly ?? false;
    edit(head().trimEnd(), undefined, {}, emptyTake(rhythmOnly));
  };

  const open = async (file: File | undefined, piece = 0) => {
    if (!file) return;
    setFileProblem("");
    try {
      const read = await api.upload(file, piece);
      const voices = (read.voices ?? []).map((voice) => ({ name: voice.name ?? "", q: asOneLine(voice.pae, read) }));
      setOpened({ file, format: read.format ?? "", pieces: read.pieces ?? [], piece, voices: voices.length > 1 ? voices : [] });
      const q = voices[read.voice ?? 0]?.q || asOneLine(read.pae, read);
      caret.current = q.length;
      setTake(null);
      update({ q, id: "", offset: 0 });
    } catch (error) {
      setFileProblem(`${t.query.failedFile} (${file.name}). ${told(problemOf(error))}`);
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
        {shown && <PlayButton id={kQueryKey} notes={shown.notes} what={t.results.yours} />}
        <Staff
          text={state.id || !oneLine ? null : text}
          query={shown}
          matched={matched}
          playing={playing === kQueryKey ? kQueryKey : ""}
          clef={signature.clef}
          length={length.figure + (length.dotted ? "." : "")}
          edit={edit}
          undo={undo}
          redo={redo}
          quiet={!query.problem && !query.busy}
        />
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
        <Box
          text={text}
          problem={text.trim() && !unfinished ? (query.problem ?? remark) : null}
          mild={!query.problem || typing}
          hint={text.trim() && (unfinished || (shown && shown.notes.length < least)) ? t.query.tooShort(least) : ""}
          area={area}
          typed={(q) => {
            setTake(null);
            setTyping(true);
            write(q, area.current?.selectionStart ?? q.length);
          }}
          moved={(at) => {
            caret.current = at;
          }}
          asWords={() => update({ q: "", id: "", text: text.trim(), offset: 0 })}
        />
      )}
      <div class="row under">
        <SignatureChoice signature={signature} disabled={!oneLine || Boolean(state.id)} change={(change) => edit(withSignature(text, change))} />
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
          <button
            type="button"
            onClick={() => {
              setRound(round + 1);
              setOpened(null);
              steps.current = { past: [...steps.current.past, latest.current], future: [] };
              setTake(null);
              update({ q: "", id: "", offset: 0 });
            }}
          >
            {t.query.clear}
          </button>
        )}
        {text && !oneLine && found && (
          <button type="button" onClick={() => update({ q: asPae() })}>
            {t.query.convert}
          </button>
        )}
        {shown && !state.id && (
          <p class="note read">{t.query.read(t.formats[shown.read?.kind ?? ""] ?? t.formats[shown.format ?? "pae"] ?? shown.format ?? "", shown.notes.length, kind === "pae" ? "" : (shown.read?.because ?? ""))}</p>
        )}
      </div>
      {opened && !state.id && (
        <div class="row opened">
          <p class="file-name">{t.query.file(opened.file.name, t.formats[opened.format] ?? opened.format)}</p>
          {opened.pieces.length > 1 && (
            <label class="choice">
              <span>{t.query.piece}</span>
              <select
                id="piece"
                value={opened.piece}
                onChange={(event) => void open(opened.file, Number(event.currentTarget.value))}
              >
                {opened.pieces.map((name, i) => (
                  <option key={i} value={i}>
                    {t.query.pieceName(i + 1, name)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {opened.voices.length > 1 && (
            <label class="choice">
              <span>{t.query.voices}</span>
              <select id="voice" value={opened.voices.findIndex(({ q }) => q === text)} onChange={(event) => update({ q: opened.voices[Number(event.currentTarget.value)]?.q ?? text })}>
                {opened.voices.map(({ name }, i) => (
                  <option key={i} value={i}>
                    {t.query.voice(i + 1, name)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
      )}
      <p class="problem" role="alert">
        {fileProblem}
      </p>
      <div class="ways">
        <div class="way-tabs" role="group" aria-label={t.ways.label}>
          {kWays.map((name) => (
            <button type="button" key={name} class="text" aria-expanded={way === name} aria-controls={`way-${name}`} onClick={() => setWay(way === name ? "" : name)}>
              {t.ways[name]}
            </button>
          ))}
        </div>
        {take && take.notes.length > 0 && (
          <TakeRow take={take} setTempo={(tempo) => onTake({ ...take, tempo })} again={again} />
        )}
        <div id="way-piano" hidden={way !== "piano"}>
          {way === "piano" && (
            <Piano
              press={onPress}
              played={(notes) => onNotes(notes, false)}
              recording={recording}
              setRecording={setRecording}
              round={round}
              length={length}
              setLength={setLength}
              undo={undo}
              redo={redo}
              octave={octaveOf(signature.clef)}
            />
          )}
        </div>
        <div id="way-sing" hidden={way !== "sing"}>
          {way === "sing" && <Sing begin={() => setTake(null)} heard={(notes) => onNotes(notes, false)} />}
        </div>
        <div id="way-tap" hidden={way !== "tap"}>
          {way === "tap" && <Tap round={round} tapped={(notes) => onNotes(notes, true)} />}
        </div>
      </div>
      {over && <div class="drop">{t.query.drop}</div>}
    </section>
  );
}
