import type { JSX } from "preact";

/** Text as somebody wrote it: empty lines part paragraphs, lines that begin with a dash make a list. Nothing is markup. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <div class="prose">
      {text
        .trim()
        .split(/\n\s*\n/)
        .map((block, i) => {
          const lines = block.split("\n").map((line) => line.trim());
          if (!lines.every((line) => /^[-•] /.test(line))) return <p key={i}>{lines.join(" ")}</p>;
          return (
            <ul key={i}>
              {lines.map((line) => (
                <li key={line}>{line.slice(2)}</li>
              ))}
            </ul>
          );
        })}
    </div>
  );
}
