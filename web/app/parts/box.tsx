// The box one types a melody into. Behind the letters lies the same text once more, which carries the mark of a mistake.

import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { told, type Problem } from "../../shared/http";
import { t } from "../texts";

interface Props {
  text: string;
  problem: Problem | null;
  /** Only a remark: the melody could be read all the same, or is still being typed. */
  mild: boolean;
  /** What to do next, where nothing is wrong. */
  hint: string;
  area: RefObject<HTMLTextAreaElement>;
  typed: (text: string) => void;
  /** Where the caret is, whenever it moves. */
  moved: (caret: number) => void;
  /** Looks for the text as words of a title instead. */
  asWords: () => void;
}

/** Somebody may have typed a title: a word of four letters is none of music. */
const kTitle = /\p{L}{4}/u;

function grow(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
}

export function Box({ text, problem, mild, hint, area, typed, moved, asWords }: Props): JSX.Element {
  const behind = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (area.current) grow(area.current);
  }, [text]);
  const column = problem?.column && problem.column >= 1 ? Math.min(problem.column, text.length + 1) : 0;
  // What cannot be read is a word, everything else a sign.
  const unread = problem?.code === "query-unread";
  const word = column > 0 ? (/^\S*/.exec(text.slice(column - 1))?.[0] ?? "") : "";
  const end = unread ? Math.max(column, column - 1 + word.length) : column;
  const goTo = () => {
    area.current?.focus();
    area.current?.setSelectionRange(column - 1, end);
  };
  return (
    <div class={`box${problem ? (mild ? " odd" : " wrong") : ""}`}>
      <div class="layers">
        <div class="behind" ref={behind} aria-hidden="true">
          {column > 0 && (
            <>
              {text.slice(0, column - 1)}
              <mark>{text.slice(column - 1, end) || " "}</mark>
              {text.slice(end)}
            </>
          )}
        </div>
        <textarea
          ref={area}
          id="melody"
          rows={1}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-label={t.query.box}
          aria-invalid={problem && !mild ? "true" : undefined}
          aria-describedby={problem ? "melody-problem" : undefined}
          placeholder={t.query.placeholder}
          value={text}
          onInput={(event) => typed(event.currentTarget.value)}
          onSelect={(event) => moved(event.currentTarget.selectionStart)}
          onScroll={(event) => behind.current?.scrollTo(0, event.currentTarget.scrollTop)}
        />
      </div>
      {hint && !problem && (
        <p class="note hint" role="status">
          {hint}
        </p>
      )}
      <div id="melody-problem" class="problem" role="status">
        {problem && (
          <>
            {column > 0 && (
              <button type="button" class="place" onClick={goTo} title={t.query.goTo}>
                {t.query.column(column)}
              </button>
            )}
            <span>
              {problem.code === "offline" ? t.offline : t.query.told(problem.code, word, told(problem))}
            </span>
          </>
        )}
      </div>
      {unread && kTitle.test(text) && (
        <button type="button" class="text as-words" onClick={asWords}>
          {t.query.asWords(text.trim().slice(0, 60))}
        </button>
      )}
    </div>
  );
}
