import { SaxesParser } from 'saxes';
import { SourceError } from '../source-kind.js';

export interface S3Object {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface ListingPage {
  readonly objects: readonly S3Object[];
  /** The token of the next page. */
  readonly token: string | undefined;
}

/** A page has 1,000 objects, each with at most about 20 elements. */
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 20;

/**
 * Reads a page of a listing (ListObjectsV2).
 *
 * @throws SourceError if the page was cut off or is inconsistent
 */
export function readListingPage(xml: string): ListingPage {
  const reader = new PageReader();
  try {
    return reader.read(xml);
  } catch (error) {
    const message = 'The store sent a listing that is not whole.';
    throw new SourceError('incomplete_listing', message, { cause: error });
  }
}

class PageReader {
  private readonly objects: S3Object[] = [];
  private readonly fields = new Map<string, string>();
  private object = new Map<string, string>();
  private readonly path: string[] = [];
  private elements = 0;
  private root = '';
  private text = '';

  read(xml: string): ListingPage {
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name }) => {
      if (++this.elements > MAX_ELEMENTS) throw new Error('It has too many elements');
      if (this.path.length >= MAX_DEPTH) throw new Error('It is nested too deeply');
      if (this.path.length === 0) this.root = name;
      this.path.push(name);
      this.text = '';
    });
    parser.on('text', (text) => (this.text += text));
    parser.on('closetag', ({ name }) => {
      this.path.pop();
      this.close(name);
    });
    parser.write(xml).close();
    const { fields, objects } = this;
    const token = fields.get('NextContinuationToken');
    const isTruncated = fields.get('IsTruncated') === 'true';
    const count = fields.get('KeyCount');
    if (this.root !== 'ListBucketResult') throw new Error('It is no listing');
    if (isTruncated && token === undefined) throw new Error('It does not say how it goes on');
    if (count !== undefined && Number(count) !== objects.length) {
      throw new Error('It has other objects than it says');
    }
    const isEncoded = fields.get('EncodingType') === 'url';
    return {
      objects: isEncoded ? objects.map((one) => ({ ...one, key: decodeKey(one.key) })) : objects,
      token: isTruncated ? token : undefined,
    };
  }

  private close(name: string): void {
    const [, within] = this.path;
    if (within === 'Contents') this.object.set(name, this.text);
    else if (this.path.length === 1 && name === 'Contents') this.addObject();
    else if (this.path.length === 1) this.fields.set(name, this.text);
  }

  private addObject(): void {
    const { object } = this;
    this.object = new Map();
    const key = object.get('Key');
    if (key === undefined) throw new Error('An object has no key');
    this.objects.push({
      key,
      etag: (object.get('ETag') ?? '').replaceAll('"', ''),
      size: Number(object.get('Size') ?? 0),
      modifiedAt: new Date(object.get('LastModified') ?? 0),
    });
  }
}

const decodeKey = (key: string) => decodeURIComponent(key.replaceAll('+', ' '));
