import { number, plural } from './basics.js';

const WIDTH = 6;
const HEIGHT = 24;

/** Questions and searches per day as small bars, the latest at the right, and their sum. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const sum = days.reduce((total, each) => total + each, 0);
  const most = Math.max(0, ...days);
  const label = `${plural(sum, 'question')} in ${days.length} days, at most ${number(most)} a day`;
  return (
    <span class="usage" title={label}>
      <svg
        class="sparkline"
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
      >
        {days.map((count, day) => {
          const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
          return (
            <rect
              key={day}
              class={count === 0 ? 'none' : ''}
              x={day * WIDTH + 1}
              y={HEIGHT - height}
              width={WIDTH - 2}
              height={height}
            />
          );
        })}
      </svg>
      <span aria-hidden="true">{number(sum)}</span>
    </span>
  );
}
