// Everything a truth has to show, as the researcher's page and the file have it.

import type { JSX } from "preact";
import { bordersOf, type Truth } from "./data";
import { scaleFor, summaryOf } from "./geometry";
import { BoxPlot, Legend } from "./plot";
import { QueryTable } from "./table";
import { t } from "./texts";

const kWidth = 420;

export function Experience({ experience }: { experience: NonNullable<Truth["experience"]> }): JSX.Element {
  const summary = summaryOf(experience.years);
  return (
    <section class="experience" aria-labelledby="experience-title">
      <h2 id="experience-title">{t.experience.title}</h2>
      {summary.ranks.length === 0 ? (
        <p class="note">{t.experience.none}</p>
      ) : (
        <figure>
          <BoxPlot summary={summary} scale={scaleFor([summary], kWidth, 0)} start={0} label={t.experience.plot(summary.ranks.length, summary.median, summary.mean)} />
          <figcaption>
            {t.experience.years}: {t.experience.plot(summary.ranks.length, summary.median, summary.mean)}
          </figcaption>
        </figure>
      )}
      {experience.instruments.length > 0 && (
        <p class="chips">
          <strong>{t.experience.instruments}</strong>
          {experience.instruments.map(({ name, count }) => (
            <span key={name}>
              {name} {count}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

interface Props {
  truth: Truth;
  complete: boolean;
  /** One line a candidate, as in the paper. */
  compact?: boolean | undefined;
  /** The truth its borders are compared with. */
  before?: Truth | null | undefined;
}

export function Tables({ truth, complete, compact, before }: Props): JSX.Element {
  return (
    <div class="tables">
      {truth.simulated && (
        <p class="simulated">
          <strong>{t.simulated}.</strong> {t.simulatedLong}
        </p>
      )}
      <p class="about">
        {t.about(t.rules[truth.rule], truth.threshold)} {truth.votes && t.whose(truth.votes)}
      </p>
      <details class="legend-box">
        <summary>{t.legend.title}</summary>
        <Legend />
      </details>
      {truth.queries.map((query) => {
        const old = before?.queries.find((one) => one.number === query.number);
        return <QueryTable key={query.number} query={query} complete={complete} compact={compact} before={old && bordersOf(old)} />;
      })}
      {truth.experience && <Experience experience={truth.experience} />}
    </div>
  );
}
