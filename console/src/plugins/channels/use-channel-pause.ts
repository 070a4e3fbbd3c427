import type { Channel } from '../../api.js';
import { usePause } from '../../components/place-state.js';
import { useShared } from '../../load.js';

export function useChannelPause(onChanged: () => void) {
  const { api } = useShared();
  return usePause(
    'channel',
    ({ id }: Channel, state) =>
      api.patch('/api/v1/channels/{channel_id}', { path: { channel_id: id }, body: { state } }),
    onChanged,
  );
}
