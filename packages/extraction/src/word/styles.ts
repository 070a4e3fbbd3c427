import type { Archive } from '../archive/archive.js';
import { attribute, type Attributes, readXml } from '../archive/xml.js';
import { type CharacterStyle, characterProperty } from './run-format.js';

/** The properties that a style gives to paragraphs or runs. */
export interface ParagraphStyle extends CharacterStyle {
  /** The level of a heading, from 1. */
  readonly headingLevel?: number;
  readonly role?: 'caption' | 'code' | 'contents';
  readonly numberingId?: string;
  readonly numberingLevel?: number;
}

interface DeclaredStyle {
  id: string;
  name: string;
  basedOn?: string;
  outlineLevel?: number;
  numberingId?: string;
  numberingLevel?: number;
  characters: CharacterStyle;
}

const MAX_INHERITANCE = 20;
const BODY_TEXT_LEVEL = 9;

/** Reads the styles of a DOCX by their ids, including inherited properties. */
export async function readParagraphStyles(
  archive: Archive,
  part: string,
): Promise<Map<string, ParagraphStyle>> {
  const declared = new Map<string, DeclaredStyle>();
  if (!archive.has(part)) return new Map();
  let style: DeclaredStyle | undefined;
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'style') {
        const id = attribute(attributes, 'styleId');
        style = id === undefined ? undefined : { id, name: id, characters: {} };
        if (style) declared.set(style.id, style);
      } else if (style) {
        readProperty(style, name, attributes);
      }
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  });
  return new Map([...declared.values()].map((own) => [own.id, resolve(own, declared)]));
}

function readProperty(style: DeclaredStyle, name: string, attributes: Attributes): void {
  style.characters = { ...style.characters, ...characterProperty(name, attributes) };
  const value = attribute(attributes, 'val');
  if (value === undefined) return;
  if (name === 'name') style.name = value;
  if (name === 'basedOn') style.basedOn = value;
  if (name === 'outlineLvl') style.outlineLevel = Number(value);
  if (name === 'numId') style.numberingId = value;
  if (name === 'ilvl') style.numberingLevel = Number(value);
}

function resolve(own: DeclaredStyle, all: ReadonlyMap<string, DeclaredStyle>): ParagraphStyle {
  const ancestry: DeclaredStyle[] = [];
  for (let style: DeclaredStyle | undefined = own; style && ancestry.length < MAX_INHERITANCE;) {
    ancestry.push(style);
    style = style.basedOn === undefined ? undefined : all.get(style.basedOn);
  }
  const headingLevel = findFirst(ancestry, findHeadingLevel);
  const numberingId = findFirst(ancestry, (style) => style.numberingId);
  const numberingLevel = findFirst(ancestry, (style) => style.numberingLevel);
  const role = findFirst(ancestry, findRole);
  const inherited = ancestry.reduceRight<CharacterStyle>(
    (all, { characters }) => ({ ...all, ...characters }),
    {},
  );
  return {
    ...inherited,
    ...(headingLevel !== undefined && headingLevel > 0 && { headingLevel }),
    ...(role !== undefined && { role }),
    ...(numberingId !== undefined && { numberingId }),
    ...(numberingLevel !== undefined && { numberingLevel }),
  };
}

function findFirst<T>(
  styles: readonly DeclaredStyle[],
  of: (style: DeclaredStyle) => T | undefined,
) {
  for (const style of styles) {
    const found = of(style);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** 0 if the style says that it is not a heading. */
function findHeadingLevel({ name, outlineLevel }: DeclaredStyle): number | undefined {
  if (outlineLevel !== undefined) return outlineLevel >= BODY_TEXT_LEVEL ? 0 : outlineLevel + 1;
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return /^title$/i.test(name) ? 1 : undefined;
}

function findRole({ name }: DeclaredStyle): ParagraphStyle['role'] {
  if (/^(toc \d|toc ?heading|table of figures)/i.test(name)) return 'contents';
  if (/^caption$/i.test(name)) return 'caption';
  if (/\b(code|preformatted)\b/i.test(name)) return 'code';
  return undefined;
}
