import { FORMATS } from '@latchkey/extraction/formats';

const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  [...FORMATS].flatMap(([type, { extensions }]) =>
    extensions.map((extension): [string, string] => [extension, type]),
  ),
);

/** The media type of a file that the service reads, by its name; undefined for any other. */
export const findTypeByName = (name: string): string | undefined =>
  TYPES_BY_EXTENSION.get(getExtension(name));

/** The extension of a file name in lower case, without the dot; empty if there is none. */
export const getExtension = (name: string): string =>
  /[^/.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Whether the service reads a media type. */
export const isReadableType = (type: string): boolean =>
  FORMATS.has(type) || type === 'application/xhtml+xml';
