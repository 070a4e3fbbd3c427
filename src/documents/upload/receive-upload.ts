import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { readJson } from '../../platform/http/json-body.js';
import { ClientLeftError } from '../../platform/http/client-left.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { FilePartType } from './file-part-type.js';
import { UploadedFile, writeUpload } from './uploaded-file.js';

const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 20;
/** The size of a multipart body without its file. */
const MAX_OVERHEAD_BYTES = 2 * MAX_FIELD_BYTES;

/**
 * Reads a multipart body: fields in any order, and one file, which is written to `path`. The caller
 * must remove it.
 *
 * @returns the fields with `file`, an UploadedFile
 */
export async function receiveUpload(
  request: FastifyRequest,
  path: string,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  try {
    // The parser would wait forever for the end of a closed request.
    if (request.raw.destroyed) throw new ClientLeftError();
    if (Number(request.headers['content-length']) > maxBytes + MAX_OVERHEAD_BYTES) throw tooLarge();
    return await readParts(request, path, maxBytes);
  } catch (error) {
    throw toProblem(error);
  }
}

async function readParts(request: FastifyRequest, path: string, maxBytes: number) {
  const received: Record<string, unknown> = {};
  const partType = new FilePartType(request.headers['content-type'] ?? '');
  request.raw.on('data', (bytes: Buffer) => {
    partType.add(bytes);
  });
  const limits = {
    fileSize: maxBytes,
    fieldSize: MAX_FIELD_BYTES,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + 1,
    fieldNameSize: 100,
    headerPairs: 20,
  };
  for await (const part of request.parts({ limits, isPartAFile })) {
    const name = part.fieldname;
    if (name in received && name !== LIST)
      throw invalidField(name, `${name} was sent more than once`);
    if (part.type === 'field') received[name] = appendValue(name, received[name], readValue(part));
    else if (isFile(name, part.filename)) received[name] = await store(part, path, partType.value);
    else received[name] = parseField(name, await readField(part));
  }
  if (!(received['file'] instanceof UploadedFile)) {
    throw invalidField('file', 'file must be a file, sent once');
  }
  return received;
}

/** The field that may be repeated. */
const LIST = 'languages';

/** Appends a value of a repeated field to the earlier ones, separated by commas. */
const appendValue = (name: string, before: unknown, value: unknown): unknown =>
  name === LIST && typeof before === 'string' && typeof value === 'string'
    ? `${before},${value}`
    : value;

/**
 * Only the field `file` is a file: browsers send a file name with every part that has a media type,
 * including JSON. JSON parts are also left unread, since the multipart parser would use `JSON.parse`.
 */
const isPartAFile = (field: string | undefined, type: unknown, name: string | undefined) =>
  isFile(field, name) || String(type).startsWith('application/json');

const isFile = (field: string | undefined, name: string | undefined) =>
  field === 'file' && name !== undefined;

async function store(part: MultipartFile, path: string, partType: string): Promise<UploadedFile> {
  part.file.once('limit', () => part.file.destroy(tooLarge()));
  const { hash, sizeBytes } = await writeUpload(part.file, path);
  // The limit may be reached before the listener above is added.
  if (part.file.truncated) throw tooLarge();
  if (sizeBytes === 0) throw invalidField('file', 'file must not be empty');
  return new UploadedFile(path, part.filename, part.mimetype, hash, sizeBytes, partType);
}

function readValue({ fieldname: name, value, valueTruncated }: MultipartValue): unknown {
  if (valueTruncated) throw invalidField(name, `${name} is too long`);
  if (typeof value !== 'string') throw invalidField(name, `${name} must be text`);
  return OBJECTS.has(name) ? parseField(name, value) : value;
}

/** Reads the text of a JSON part. */
async function readField({ fieldname: name, file }: MultipartFile): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const bytes of file as AsyncIterable<Buffer>) {
    size += bytes.length;
    if (size > MAX_FIELD_BYTES) throw invalidField(name, `${name} is too long`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString();
}

/** Fields that are JSON objects. */
const OBJECTS: ReadonlySet<string> = new Set(['metadata', 'access']);

/** Parses a field that is JSON: an object, or a text sent as JSON. */
function parseField(name: string, text: string): unknown {
  const expected = OBJECTS.has(name) ? 'a JSON object' : 'text';
  const invalid = invalidField(name, `${name} must be ${expected}`);
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw invalid;
  }
  if (!OBJECTS.has(name) && typeof value !== 'string') throw invalid;
  return value;
}

const tooLarge = () => new Problem('payload_too_large');

function toProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  if ('statusCode' in error && error.statusCode === 413) return tooLarge();
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ENOSPC|EDQUOT|EROFS|EMFILE|EIO)$/.test(code)) {
    return new Problem('database_unavailable', { detail: 'The file cannot be stored right now.' });
  }
  // Other system errors are internal errors; any other error comes from the parser and concerns the
  // body.
  return /^E[A-Z]+$/.test(code)
    ? error
    : new Problem('validation_failed', { detail: 'The body is not well-formed multipart.' });
}
