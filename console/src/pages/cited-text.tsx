import { useState } from 'preact/hooks';
import { RichText } from '../components/rich-text.js';
import { useShared } from '../load.js';
import { type Cited, OriginalDialog } from '../plugins/originals/original.js';

type CitedSource = Cited & { readonly index: number };

/** The text of an answer whose citations open the documents at the cited passage. */
export function CitedText(props: { text: string; sources: readonly CitedSource[] }) {
  const canOpen = useShared().isRunning('originals');
  const [opened, setOpened] = useState<CitedSource>();
  const citation = (index: number) => {
    const source = props.sources.find((each) => each.index === index);
    return source && canOpen ? (
      <button
        type="button"
        class="citation"
        aria-label={`Source ${index}: ${source.document_title}`}
        aria-haspopup="dialog"
        onClick={() => {
          setOpened(source);
        }}
      >
        {index}
      </button>
    ) : (
      `[${index}]`
    );
  };
  return (
    <>
      <RichText text={props.text} citation={citation} />
      {opened && (
        <OriginalDialog
          source={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
}
