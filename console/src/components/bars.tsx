import { number, plural } from './basics.js';
import '../styles/bars.css';

interface Row {
  /** The beginning of the period that is counted. */
  readonly at: Date;
  /** One count for each name, stacked in that order from below. */
  readonly counts: readonly number[];
}

const HEIGHT = 120;
const WIDTH = 40;
const GAP = 6;
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const HOUR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Counts over time as bars, at most three kinds of them stacked. */
export function Bars(props: {
  label: string;
  names: readonly string[];
  rows: readonly Row[];
  areHours?: boolean;
}) {
  const { label, names, rows, areHours = false } = props;
  const most = Math.max(1, ...rows.map(({ counts }) => sumOf(counts)));
  const toHeight = (count: number) => (count / most) * HEIGHT;
  const totals = names.map((name, kind) => {
    const total = sumOf(rows.map(({ counts }) => counts[kind] ?? 0));
    return `${number(total)} ${name}`;
  });
  const first = rows[0];
  const last = rows.at(-1);
  if (rows.every(({ counts }) => sumOf(counts) === 0)) {
    return (
      <figure>
        <figcaption>{label}</figcaption>
        <p class="quiet">None in this time.</p>
      </figure>
    );
  }
  return (
    <figure class="bars">
      <figcaption>
        {label}
        {names.map((name, kind) => (
          <span key={name} class={`key series-${kind + 1}`}>
            {name}
          </span>
        ))}
        <span class="quiet">
          at most {number(most)} {areHours ? 'an hour' : 'a day'}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${rows.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${totals.join(', ')}`}
      >
        {rows.map(({ at, counts }, index) => (
          <g key={at.toISOString()}>
            <title>
              {`${(areHours ? HOUR : DATE).format(at)}: ${plural(sumOf(counts), 'request')}, ${names.map((name, kind) => `${number(counts[kind] ?? 0)} ${name}`).join(', ')}`}
            </title>
            <rect class="ground" x={index * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
            {counts.map((count, kind) => (
              <rect
                key={kind}
                class={`series-${kind + 1}`}
                x={index * WIDTH + GAP / 2}
                y={HEIGHT - toHeight(sumOf(counts.slice(0, kind + 1)))}
                width={WIDTH - GAP}
                height={toHeight(count)}
              />
            ))}
          </g>
        ))}
      </svg>
      <p class="quiet" aria-hidden="true">
        <span>{first && DATE.format(first.at)}</span>
        <span>{last && DATE.format(last.at)}</span>
      </p>
    </figure>
  );
}
