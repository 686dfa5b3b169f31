// The drawings of the tables: box and whiskers, and under it the bar of tests.

import type { JSX } from "preact";
import type { Summary } from "./data";
import { dots, kMargin, squares, ticks, x, type Scale } from "./geometry";
import { t } from "./texts";

const kHeight = 44; // of the part above the axis
const kAxis = 15;
const kMiddle = kHeight / 2;
const kBox = 11; // half the height of the box
const kCap = 6;
const kDot = 1.7;
const kMedian = 3.9;

const round = (value: number): number => Math.round(value * 100) / 100;

function Whisker({ scale, from, to }: { scale: Scale; from: number; to: number }): JSX.Element {
  const [a, b] = [round(x(scale, from)), round(x(scale, to))];
  return <path class="whisker" d={`M${a} ${kMiddle}H${b}M${b} ${kMiddle - kCap}v${2 * kCap}`} />;
}

interface Props {
  summary: Summary;
  scale: Scale;
  /** The first number on the axis. */
  start?: number;
  label: string;
}

export function BoxPlot({ summary, scale, start = 1, label }: Props): JSX.Element {
  const { ranks, median, mean, deviation, q1, q3, p10, p90 } = summary;
  const { width } = scale;
  const at = (value: number) => round(x(scale, value));
  return (
    <svg class="box-plot" viewBox={`0 0 ${width} ${kHeight + kAxis}`} width={width} height={kHeight + kAxis} role="img" aria-label={label}>
      <path class="axis" d={`M${kMargin} ${kHeight}H${width - kMargin}`} />
      {ticks(scale, 9, start).map((tick) => (
        <g key={tick} class="tick">
          <path d={`M${at(tick)} ${kHeight}v3`} />
          <text x={at(tick)} y={kHeight + 13}>
            {tick}
          </text>
        </g>
      ))}
      {q1 !== null && p10 !== null && <Whisker scale={scale} from={q1} to={p10} />}
      {q3 !== null && p90 !== null && <Whisker scale={scale} from={q3} to={p90} />}
      {q1 !== null && q3 !== null && <rect class="box" x={at(q1)} y={kMiddle - kBox} width={round(Math.max(0.6, at(q3) - at(q1)))} height={2 * kBox} />}
      {mean !== null && deviation !== null && <path class="deviation" d={`M${at(mean - deviation)} ${kMiddle}H${at(mean + deviation)}`} />}
      {mean !== null && deviation !== null && <path class="deviation ends" d={`M${at(mean - deviation)} ${kMiddle - kBox}v${2 * kBox}M${at(mean + deviation)} ${kMiddle - kBox}v${2 * kBox}`} />}
      {mean !== null && <path class="mean" d={`M${at(mean)} 2v${kHeight - 4}`} />}
      {dots(scale, ranks, kMiddle, kHeight - 4 * kDot, 2 * kDot + 0.5).map((dot, i) => (
        <circle key={i} class="vote" cx={round(dot.x)} cy={round(dot.y)} r={kDot} />
      ))}
      {median !== null && <circle class="median" cx={at(median)} cy={kMiddle} r={kMedian} />}
    </svg>
  );
}

export function TestBar({ p, width }: { p: readonly (number | null)[]; width: number }): JSX.Element | null {
  if (p.length === 0) return null;
  const row = squares(p, width);
  const size = row[0]?.size ?? 0;
  return (
    <svg class="test-bar" viewBox={`0 0 ${width} ${round(size + 1)}`} width={width} height={round(size + 1)} role="img" aria-label={t.bar(p)}>
      {row.map(({ x: left, dark }, i) => (
        <g key={i}>
          <title>{t.against(i + 1, p[i] ?? null)}</title>
          <rect class={dark === null ? "untested" : "light"} x={round(left + 0.5)} y={0.5} width={round(size)} height={round(size)} />
          {dark !== null && dark > 0 && <rect class="dark" x={round(left + 0.5)} y={0.5} width={round(size)} height={round(dark)} />}
          <rect class="frame" x={round(left + 0.5)} y={0.5} width={round(size)} height={round(size)} />
        </g>
      ))}
    </svg>
  );
}

/** What the signs mean, with the signs themselves. */
export function Legend(): JSX.Element {
  const sign = (children: JSX.Element) => (
    <svg class="sign" viewBox="0 0 26 16" width={26} height={16} aria-hidden="true">
      {children}
    </svg>
  );
  return (
    <ul class="legend">
      <li>
        {sign(
          <>
            <path class="whisker" d="M1 8H25M1 4v8M25 4v8" />
            <rect class="box" x={6} y={2} width={13} height={12} />
          </>,
        )}
        {t.legend.box}
      </li>
      <li>
        {sign(<circle class="vote" cx={13} cy={8} r={2.2} />)}
        {t.legend.vote}
      </li>
      <li>
        {sign(<circle class="median" cx={13} cy={8} r={4.2} />)}
        {t.legend.median}
      </li>
      <li>
        {sign(
          <>
            <path class="deviation" d="M2 8H24" />
            <path class="mean" d="M13 1v14" />
          </>,
        )}
        {t.legend.mean}
      </li>
      <li>
        {sign(
          <>
            <rect class="light" x={6.5} y={1.5} width={13} height={13} />
            <rect class="dark" x={6.5} y={1.5} width={13} height={8} />
            <rect class="frame" x={6.5} y={1.5} width={13} height={13} />
          </>,
        )}
        {t.legend.bar}
      </li>
    </ul>
  );
}
