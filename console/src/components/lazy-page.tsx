import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PageAwayError } from '../api.js';
import { useShared } from '../load.js';
import { Loading } from './basics.js';

/**
 * A page whose script is loaded when it is first opened. While the service is away the page says so,
 * and loads it as soon as it is back.
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
