import { createReadStream, type ReadStream } from 'node:fs';
import { basename } from 'node:path';
import { FORMATS } from '@latchkey/extraction/formats';
import { getExtension, findTypeByName } from '../readable-file.js';

const OTHER_FILES = new Set(
  (
    '7z apk avi bin bmp bz2 css deb dmg eot exe flac gif gz ico iso jar jpeg jpg js m4a m4v map mjs ' +
    'mkv mov mp3 mp4 mpeg mpg msi ogg ogv otf png rar rpm rss svg swf tar tgz tif tiff ttf wasm wav ' +
    'webm webmanifest webp wma wmv woff woff2 xz zip zst'
  ).split(' '),
);

/** Whether a link leads, by its name, to a file that is not a document, such as a film. */
export const isOtherFile = (address: string): boolean =>
  OTHER_FILES.has(getExtension(new URL(address).pathname));

/** Names a file with the extension of its type, which identifies the format. */
export function toFileName(address: string, type: string): string {
  const name = basename(new URL(address).pathname) || 'index';
  if (findTypeByName(name) === type) return name;
  return `${name}.${FORMATS.get(type)?.extensions[0] ?? 'html'}`;
}

/** Opens a file for reading; undefined if it does not exist. */
export function openIfThere(path: string): Promise<ReadStream | undefined> {
  const stream = createReadStream(path);
  return new Promise((resolve) => {
    stream.once('open', () => {
      resolve(stream);
    });
    stream.once('error', () => {
      resolve(undefined);
    });
  });
}
