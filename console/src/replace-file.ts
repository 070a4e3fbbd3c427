import { isAway, isSignedOut } from './api.js';
import { chooseFile } from './choose-file.js';
import { describeRefusal } from './document-problems.js';
import { useChange, useShared } from './load.js';

/** Lets the user choose a file, which replaces the content of a document. */
export function useReplaceFile(onReplaced: () => void) {
  const { forFiles, notify } = useShared();
  return useChange(async (document: { readonly id: string }) => {
    const file = await chooseFile();
    if (!file) return;
    if (file.size === 0) throw new Error('The file is empty.');
    const body = new FormData();
    body.append('file', file, file.name);
    try {
      const path = { document_id: document.id };
      await forFiles().put('/api/v1/documents/{document_id}/content', { path, body });
    } catch (error) {
      if (isAway(error) || isSignedOut(error)) throw error;
      throw new Error(describeRefusal(error), { cause: error });
    }
    notify('The file is replaced. Its passages follow in a moment.');
    onReplaced();
  });
}
