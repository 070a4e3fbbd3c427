export const PERIODS = [
  ['1', 'Last 24 hours', 'hour'],
  ['7', 'Last 7 days', 'hour'],
  ['30', 'Last 30 days', 'day'],
  ['90', 'Last 90 days', 'day'],
] as const;

const DAY_MS = 86_400_000;

/** @param days before the next whole hour, so that reloading within it reads the same */
export function lastDays(days: string): { from: string; to: string } {
  const to = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
  return {
    from: new Date(to.getTime() - Number(days) * DAY_MS).toISOString(),
    to: to.toISOString(),
  };
}

export function PeriodFilter(props: { value: string; onChange: (days: string) => void }) {
  return (
    <select
      aria-label="Period"
      value={props.value}
      onChange={(event) => {
        props.onChange(event.currentTarget.value);
      }}
    >
      {PERIODS.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
