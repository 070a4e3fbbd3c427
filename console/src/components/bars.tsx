import { number, plural } from './basics.js';

interface Day {
  readonly at: Date;
  readonly answered: number;
  readonly unanswered: number;
}

const HEIGHT = 120;
const WIDTH = 40;
const GAP = 6;
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** What was asked each day, as bars: answered below, not answered on top. */
export function Bars({ label, days }: { label: string; days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ answered, unanswered }) => answered + unanswered));
  const heightOf = (count: number) => (count / most) * HEIGHT;
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure class="bars">
      <figcaption>
        {label}
        <span class="key answered">answered</span>
        <span class="key unanswered">not answered</span>
        <span class="quiet">at most {number(most)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${number(sum((day) => day.answered))} answered, ${number(sum((day) => day.unanswered))} not`}
      >
        {days.map(({ at, answered, unanswered }, index) => (
          <g key={at.toISOString()}>
            <title>{`${DATE.format(at)}: ${plural(answered + unanswered, 'question')}, ${number(unanswered)} not answered`}</title>
            <rect class="day" x={index * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
            <rect
              class="answered"
              x={index * WIDTH + GAP / 2}
              y={HEIGHT - heightOf(answered)}
              width={WIDTH - GAP}
              height={heightOf(answered)}
            />
            <rect
              class="unanswered"
              x={index * WIDTH + GAP / 2}
              y={HEIGHT - heightOf(answered + unanswered)}
              width={WIDTH - GAP}
              height={heightOf(unanswered)}
            />
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
