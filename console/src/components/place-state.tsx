import type { Site } from '../api.js';
import { useChange, useShared } from '../load.js';
import { Badge, number } from './basics.js';

type State = Site['state'];
type Use = Pick<Site, 'state' | 'messages_today' | 'daily_messages'>;

/** Whether a site or channel answers, and why not. */
export function PlaceState(place: Use) {
  if (place.state === 'paused') return <Badge kind="pending">paused</Badge>;
  return place.messages_today >= place.daily_messages ? (
    <Badge kind="failed">limit reached</Badge>
  ) : (
    <Badge kind="ready">active</Badge>
  );
}

export const usageWords = (place: Use) =>
  `${number(place.messages_today)} of ${number(place.daily_messages)}`;

/** The questions of today out of the limit. */
export function PlaceUsage({ place }: { place: Use }) {
  return (
    <>
      <meter aria-label="Questions today" max={place.daily_messages} value={place.messages_today} />{' '}
      {usageWords(place)}
    </>
  );
}

/**
 * Pauses and resumes a site or channel.
 *
 * @param kind “site” or “channel”
 */
export function usePause<Place extends { state: State }>(
  kind: string,
  change: (place: Place, state: State) => Promise<unknown>,
  onChanged: () => void,
) {
  const { notify } = useShared();
  const { run, error } = useChange(async (place: Place) => {
    const before = place.state;
    const state = before === 'paused' ? 'active' : 'paused';
    await change(place, state);
    notify(
      state === 'active'
        ? `The ${kind} answers again.`
        : `The ${kind} is paused. It answers no question from now on.`,
      { undo: () => change(place, before) },
    );
    onChanged();
  });
  return {
    toggle: run,
    error,
    action: ({ state }: Place) => (state === 'paused' ? 'Resume' : 'Pause'),
  };
}
