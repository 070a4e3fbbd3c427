/** A file, with its path where it comes from a folder. */
export interface FoundFile {
  readonly file: File;
  readonly path?: string;
}

/** Files that systems and programs put into folders. */
const NOT_WRITTEN_BY_PEOPLE = /(?:^|\/)(?:\.|~\$|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/;

/** Leaves out the files of a folder that nobody has written. */
export const dropSystemFiles = (found: readonly FoundFile[]): FoundFile[] =>
  found.filter(({ path = '' }) => !NOT_WRITTEN_BY_PEOPLE.test(path));

/** The files that were chosen, in the browser's dialog for files or for folders. */
export const listChosen = (files: Iterable<File>): FoundFile[] =>
  [...files].map((file) =>
    file.webkitRelativePath === '' ? { file } : { file, path: file.webkitRelativePath },
  );

/** The files that were dropped, and those in folders that were. */
export async function listDropped({ items, files }: DataTransfer): Promise<FoundFile[]> {
  // Entries are gone when the event has passed, so all are taken before the first is read.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return listChosen(files);
  const found: FoundFile[] = [];
  for (const entry of entries) await readEntry(entry, found);
  return found;
}

async function readEntry(entry: FileSystemEntry, found: FoundFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    const path = entry.fullPath.replace(/^\//, '');
    found.push(path.includes('/') ? { file, path } : { file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // Browsers give a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return;
    for (const inner of some) await readEntry(inner, found);
  }
}
