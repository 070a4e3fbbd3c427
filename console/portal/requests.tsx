import { useEffect, useState } from 'preact/hooks';
import { Bars } from '../src/components/bars.js';
import { call, type Day } from './api.js';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** The requests of the last 30 days, by the days of the reader's time zone. */
export function Requests(props: {
  link: string;
  total: number;
  onEnded: (error: unknown) => void;
}) {
  const { link, total, onEnded } = props;
  const [days, setDays] = useState<readonly Day[]>();
  const offset = -new Date().getTimezoneOffset();
  useEffect(() => {
    call<readonly Day[]>('GET', `usage?utc_offset_minutes=${offset}`, { link }).then(
      setDays,
      onEnded,
    );
  }, [total]);
  const today = Math.floor((Date.now() + offset * 60_000) / DAY_MS);
  const rows = Array.from({ length: DAYS }, (_, index) => {
    const day = today - DAYS + 1 + index;
    const found = days?.find((one) => one.day === day);
    return {
      at: new Date(day * DAY_MS - offset * 60_000),
      counts: [found?.requests ?? 0, found?.refused ?? 0],
    };
  });
  return (
    <section aria-label="Requests">
      <h2>Requests</h2>
      {days ? (
        <Bars label="Last 30 days" names={['answered', 'refused']} rows={rows} />
      ) : (
        <div class="skeleton" role="status" aria-busy="true">
          <span class="unseen">Loading…</span>
          <i />
        </div>
      )}
    </section>
  );
}
