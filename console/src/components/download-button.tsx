import { useEffect, useRef, useState } from 'preact/hooks';
import type { Document } from '../api.js';
import { useShared } from '../load.js';
import { openFile } from '../open-file.js';
import { Alert } from './basics.js';

/** Types that a browser shows in a tab without running scripts. */
const HARMLESS = /^(?:application\/pdf|image\/(?:png|jpeg|webp)|text\/plain)\b/;

/** Saves the original of a document, or opens it; a second press stops it. */
export function DownloadButton(props: {
  document: Pick<Document, 'id' | 'title'>;
  label?: string;
  /** Whether to open it in a tab, if its type is harmless. */
  isOpened?: boolean;
}) {
  const { document, label = 'Download', isOpened = false } = props;
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
          name = readFileName(headers.get('content-disposition') ?? '');
        },
      });
      if (isOpened && HARMLESS.test(content.type)) openFile(content, { target: '_blank' });
      else openFile(content, { download: name === '' ? document.title : name });
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
        {state.busy ? 'Stop the download' : label}
      </button>
      <Alert error={state.error} />
    </>
  );
}

/** The file name of a Content-Disposition header, which is percent-encoded if it must be. */
function readFileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? '';
}
