import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PageAwayError } from '../api.js';
import { useShared } from '../load.js';
import { Loading } from './basics.js';

/**
 * A page whose script is loaded when it is first opened. If the service is unavailable, it shows an error, and
 * loads the script as soon as the service is back.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Page: ComponentType<Props> | undefined;
  return function LazyPage(props) {
    const { epoch, report } = useShared();
    const [error, setError] = useState<unknown>();
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (Page) return;
      load().then(
        (page) => {
          Page = page;
          setLoaded(true);
        },
        () => {
          const away = new PageAwayError();
          setError(away);
          report(away);
        },
      );
    }, [epoch]);
    return Page ? <Page {...props} /> : <Loading error={error} />;
  };
}
