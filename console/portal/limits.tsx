import { number } from '../src/components/basics.js';
import type { Budget, View } from './api.js';

const UNITS = ['messages', 'tokens', 'cost'] as const;

/** The unit of a budget; undefined without one. */
const findUnit = (budget: Budget | null) =>
  UNITS.find((unit) => typeof budget?.[unit] === 'number');

const readBudget = (budget: Budget | null): number | null => {
  const unit = findUnit(budget);
  return unit === undefined ? null : (budget?.[unit] ?? null);
};

/** How much of each limit is used, as bars. */
export function Limits({ limits, remaining }: Pick<View['key'], 'limits' | 'remaining'>) {
  const rows = [
    ['Requests this minute', limits.rate_limit_per_minute, remaining.rate_limit_per_minute],
    ['Messages today, of all keys', limits.daily_message_limit, remaining.daily_message_limit],
    [
      `Budget of this ${limits.budget?.period ?? ''}, in ${findUnit(limits.budget) ?? ''}`,
      readBudget(limits.budget),
      readBudget(remaining.budget),
    ],
  ] as const;
  const known = rows.flatMap(([label, limit, left]) =>
    limit === null ? [] : [{ label, limit, used: limit - (left ?? limit) }],
  );
  return (
    <section aria-label="Limits">
      <h2>Limits</h2>
      {known.length === 0 ? (
        <p class="quiet">No limits apply.</p>
      ) : (
        <ul class="limits">
          {known.map(({ label, limit, used }) => (
            <li key={label}>
              <span>{label}</span>
              <span class="quiet">
                {number(used)} of {number(limit)}
              </span>
              <meter
                min={0}
                max={Math.max(limit, 1)}
                high={limit * 0.8}
                optimum={0}
                value={used}
                aria-label={label}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
