/** The files that can be read, for the browser's dialog. */
export const ACCEPTED =
  '.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.doc,.ppt,.xls,.rtf,.epub,.eml,.msg,.html,.htm,.md,.mdx,' +
  '.markdown,.adoc,.rst,.org,.csv,.json,.jsonl,.xml,.ipynb,.vtt,.srt,.txt,.zip,.png,.jpg,.jpeg,' +
  '.tif,.tiff,.webp';

/** Opens the browser's dialog. Returns nothing if the user chooses no file. */
export const chooseFile = (): Promise<File | undefined> =>
  new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = ACCEPTED.replace(',.zip', '');
    input.addEventListener('change', () => {
      resolve(input.files?.[0]);
    });
    input.addEventListener('cancel', () => {
      resolve(undefined);
    });
    input.click();
  });
