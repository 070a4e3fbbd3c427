import type { ComponentChildren } from 'preact';
import { splitBlocks, splitCells } from '../text-blocks.js';

interface Props {
  readonly text: string;
  /** Sentences, or rows of tables, that are marked in the text. */
  readonly quotes?: readonly string[];
  /** Shows what `[n]` refers to; without it, such marks are text. */
  readonly citation?: ((index: number) => ComponentChildren) | undefined;
}

/** Text with its tables, lists and code: an answer, or a passage of a document. */
export function RichText({ text, quotes = [], citation }: Props) {
  const lines = quotes.flatMap((quote) => quote.split('\n')).map((line) => line.trim());
  const marked = lines.filter((line) => line !== '');
  const rows = new Set(marked.map((line) => splitCells(line).join('|')));
  const inline = (part: string) => <Inline text={part} quotes={marked} citation={citation} />;
  return (
    <div class="rich" dir="auto">
      {splitBlocks(text).map((block, index) => {
        switch (block.kind) {
          case 'code':
            return (
              <pre key={index} tabIndex={0}>
                <code>{block.text}</code>
              </pre>
            );
          case 'list': {
            const items = block.items.map((item, place) => <li key={place}>{inline(item)}</li>);
            return block.first === undefined ? (
              <ul key={index}>{items}</ul>
            ) : (
              <ol key={index} start={block.first}>
                {items}
              </ol>
            );
          }
          case 'table':
            return (
              <div key={index} class="rich-table" role="group" aria-label="Table" tabIndex={0}>
                <table>
                  <thead>
                    <tr>
                      {block.header.map((cell, place) => (
                        <th key={place} scope="col">
                          {inline(cell)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {block.rows.map((row, place) => (
                      <tr key={place} class={rows.has(row.join('|')) ? 'marked' : ''}>
                        {row.map((cell, column) => (
                          <td key={column}>{inline(cell)}</td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            );
          default:
            return <p key={index}>{inline(block.text)}</p>;
        }
      })}
    </div>
  );
}

function Inline({ text, quotes, citation }: Props & { quotes: readonly string[] }) {
  const parts = text.split(/(\*\*[^*\n]+\*\*|`[^`\n]+`|\s?\[\d{1,3}\])/);
  return (
    <>
      {parts.map((part, index) => {
        const cited = /^\s?\[(\d+)\]$/.exec(part);
        if (cited && citation) return <span key={index}>{citation(Number(cited[1]))}</span>;
        if (/^\*\*.+\*\*$/.test(part)) return <strong key={index}>{part.slice(2, -2)}</strong>;
        if (/^`.+`$/.test(part)) return <code key={index}>{part.slice(1, -1)}</code>;
        return <Marked key={index} text={part} quotes={quotes} />;
      })}
    </>
  );
}

/** Marks the quotations in a text; a quotation may also be longer than the text. */
function Marked({ text, quotes }: { text: string; quotes: readonly string[] }) {
  const whole = text.trim();
  if (whole !== '' && quotes.some((quote) => quote === whole)) return <mark>{text}</mark>;
  const first = quotes
    .map((quote) => ({ quote, start: text.indexOf(quote) }))
    .filter(({ start }) => start >= 0)
    .sort((one, other) => one.start - other.start)[0];
  if (!first) return <>{text}</>;
  const end = first.start + first.quote.length;
  return (
    <>
      {text.slice(0, first.start)}
      <mark>{first.quote}</mark>
      <Marked text={text.slice(end)} quotes={quotes} />
    </>
  );
}
