import type { Site } from '../../api.js';
import { usePause } from '../../components/place-state.js';
import { useShared } from '../../load.js';

export function useSitePause(onChanged: () => void) {
  const { api } = useShared();
  return usePause(
    'site',
    ({ id }: Site, state) =>
      api.patch('/api/v1/sites/{site_id}', { path: { site_id: id }, body: { state } }),
    onChanged,
  );
}
