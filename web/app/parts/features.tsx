import type { JSX } from "preact";
import { useAsked } from "../../shared/hooks";
import { fraction } from "../../shared/playback/schedule";
import { api, type Features, type Note } from "../api";
import { t } from "../texts";

const kWidth = 320;
const kHeight = 90;

/** Pitch against time: the melody as a line of steps. */
function Contour({ notes }: { notes: readonly Note[] }): JSX.Element | null {
  if (notes.length < 2) return null;
  const pitches = notes.map(({ midi }) => midi);
  const low = Math.min(...pitches);
  const range = Math.max(1, Math.max(...pitches) - low);
  const end = Math.max(...notes.map((note) => fraction(note.onset) + fraction(note.duration))) || 1;
  const x = (time: number) => ((time / end) * kWidth).toFixed(1);
  const y = (midi: number) => (kHeight - 8 - ((midi - low) / range) * (kHeight - 16)).toFixed(1);
  const path = notes
    .map((note, i) => `${i === 0 ? "M" : "L"}${x(fraction(note.onset))} ${y(note.midi)}H${x(fraction(note.onset) + fraction(note.duration))}`)
    .join("");
  return (
    <figure>
      <figcaption>{t.details.feature.contour}</figcaption>
      <svg class="contour" viewBox={`0 0 ${kWidth} ${kHeight}`} role="img" aria-label={t.details.feature.contour}>
        <path d={path} />
      </svg>
    </figure>
  );
}

function Histogram({ rows }: { rows: { interval: number; count: number; share: number }[] }): JSX.Element {
  const most = Math.max(...rows.map(({ count }) => count), 1);
  const ordered = [...rows].sort((a, b) => b.interval - a.interval);
  return (
    <figure>
      <figcaption>{t.details.feature.histogram}</figcaption>
      <table class="histogram">
        <tbody>
          {ordered.map(({ interval, count }) => (
            <tr key={interval}>
              <th scope="row">{t.details.feature.interval(interval)}</th>
              <td>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(count / most) * 100} height="8" rx="1" />
                </svg>
              </td>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Features of the first voice; nothing at all where the server has none. */
export function FeaturesOf({ id, notes, offered }: { id: string; notes: readonly Note[]; offered: boolean }): JSX.Element | null {
  const { data } = useAsked(offered ? id : "", 0, () => api.features(id));
  const features: Features | undefined = data && "voices" in data ? data.voices[0] : (data ?? undefined);
  if (!features) return null;
  const histogram = features.histogram?.chromatic ?? [];
  return (
    <section class="features" aria-labelledby="features-title">
      <h3 id="features-title">{t.details.features}</h3>
      <p class="chips">
        <span>{t.details.feature.notes(features.notes)}</span>
        <span>{t.details.feature.range(features.range)}</span>
        {features.max_interval !== undefined && <span>{t.details.feature.leap(features.max_interval)}</span>}
      </p>
      <div class="pair">
        <Contour notes={notes} />
        {histogram.length > 0 && <Histogram rows={histogram} />}
      </div>
      {features.motives && features.motives.length > 0 && (
        <p class="note">
          {t.details.feature.motives}:{" "}
          {features.motives
            .slice(0, 3)
            .map(({ steps, count }) => `${steps.map((step) => (step > 0 ? `+${step}` : step)).join(" ")} (${t.details.feature.times(count)})`)
            .join("; ")}
        </p>
      )}
    </section>
  );
}
