import type { Channel } from '../../api.js';
import { Badge } from '../../components/basics.js';
import { PlaceState } from '../../components/place-state.js';
import { slackErrorWords } from './slack-errors.js';

/** Whether a channel answers, and why not. */
export function ChannelState(channel: Channel) {
  const { last_error: error, workspace } = channel;
  return (
    <>
      {workspace === null && channel.state === 'active' ? (
        <Badge kind="pending">not connected</Badge>
      ) : (
        <PlaceState {...channel} />
      )}
      {error !== null && <div class="quiet">{slackErrorWords(error)}</div>}
    </>
  );
}
