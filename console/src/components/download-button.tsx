import { useEffect, useRef, useState } from 'preact/hooks';
import type { Document } from '../api.js';
import { useShared } from '../load.js';
import { Alert } from './basics.js';

/** Saves the original of a document; a second press stops it. */
export function DownloadButton({ document }: { document: Document }) {
  const { forFiles, report } = useShared();
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const running = useRef<AbortController>();
  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );
  const download = async () => {
    const stop = new AbortController();
    running.current = stop;
    setState({ busy: true });
    try {
      let name = '';
      const content = await forFiles().documentContent(document.id, {
        signal: stop.signal,
        onResponse: ({ headers }) => {
          name = fileName(headers.get('content-disposition') ?? '');
        },
      });
      save(content, name === '' ? document.title : name);
      setState({ busy: false });
    } catch (error) {
      if (stop.signal.aborted) {
        setState({ busy: false });
        return;
      }
      report(error);
      setState({ busy: false, error });
    }
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          if (state.busy) running.current?.abort();
          else void download();
        }}
      >
        {state.busy ? 'Stop the download' : 'Download'}
      </button>
      <Alert error={state.error} />
    </>
  );
}

/** The file name of a Content-Disposition header, which is percent-encoded if it must be. */
function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? '';
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = window.document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content only after the click has returned.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
