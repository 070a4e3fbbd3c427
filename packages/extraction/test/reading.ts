import type { Block, Reader, ReaderWarning } from '../src/block.js';
import { Recognition } from '../src/recognition/recognition.js';

/** Reads a document, and counts how often the reader reports progress. */
export async function read(reader: Reader, content: string | Uint8Array) {
  const warnings: ReaderWarning[] = [];
  let progress = 0;
  const blocks = await reader(typeof content === 'string' ? Buffer.from(content) : content, {
    progress: () => {
      progress++;
    },
    warn: (warning) => {
      warnings.push(warning);
    },
    recognition: new Recognition({ ocr: 'off', maxPages: 0, recognised: [] }),
  });
  return { blocks, warnings, progress };
}

/** Writes each block as one line. */
export const outline = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
        return `${'#'.repeat(block.level)} ${block.text}`;
      case 'list-item':
        return `${'  '.repeat(block.depth)}${block.marker} ${block.text}`;
      case 'table':
        return [
          ...(block.header ? [`[${block.header.join(' | ')}]`] : []),
          ...block.rows.map(({ cells }) => `| ${cells.join(' | ')}`),
        ];
      case 'paragraph':
        return block.text;
      default:
        return `(${block.kind}) ${block.text}`;
    }
  });
