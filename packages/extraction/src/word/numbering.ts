import type { Archive } from '../archive/archive.js';
import { attribute, type Attributes, readXml } from '../archive/xml.js';
import { formatNumber, type NumberFormat } from './number-format.js';

interface Level {
  start: number;
  format: NumberFormat;
  /** The pattern of the marker, such as `%1.%2.`, where `%1` is the number of the outermost level. */
  text: string;
}

interface Definition {
  readonly levels: Map<number, Level>;
}

interface Numbering {
  abstractId: string;
  readonly startOverrides: Map<number, number>;
  readonly levels: Map<number, Level>;
}

const MAX_LEVELS = 9;
export const BULLET = '–';

/** The markers of the numbered paragraphs of a DOCX, counted in their order. */
export class ListNumbering {
  private readonly definitions = new Map<string, Definition>();
  private readonly numberings = new Map<string, Numbering>();
  /** The last number of each level, by definition: lists with the same definition continue counting. */
  private readonly counters = new Map<string, number[]>();
  private readonly started = new Set<string>();

  static async read(archive: Archive, part: string): Promise<ListNumbering> {
    const numbering = new ListNumbering();
    if (archive.has(part)) await numbering.read(archive, part);
    return numbering;
  }

  /** The marker of the next paragraph of a list, or undefined if it has none. */
  takeMarker(numberingId: string, depth: number): string | undefined {
    const numbering = this.numberings.get(numberingId);
    if (!numbering || depth < 0 || depth >= MAX_LEVELS) return undefined;
    const level = this.findLevel(numbering, depth);
    if (!level || level.format === 'none') return undefined;
    const numbers = this.count(numberingId, numbering, depth);
    if (level.format === 'bullet') return BULLET;
    const marker = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { format = 'decimal', start = 1 } = this.findLevel(numbering, at) ?? {};
      return formatNumber(numbers[at] ?? start, format);
    });
    return marker.trim() || undefined;
  }

  private count(numberingId: string, numbering: Numbering, depth: number): number[] {
    const numbers = this.counters.get(numbering.abstractId) ?? [];
    this.counters.set(numbering.abstractId, numbers);
    const restart = numbering.startOverrides.get(depth);
    const key = `${numberingId}:${depth}`;
    if (restart !== undefined && !this.started.has(key)) numbers[depth] = restart - 1;
    this.started.add(key);
    const start = this.findLevel(numbering, depth)?.start ?? 1;
    numbers[depth] = (numbers[depth] ?? start - 1) + 1;
    // An item of an outer level restarts the inner levels.
    numbers.length = depth + 1;
    return numbers;
  }

  private findLevel({ abstractId, levels }: Numbering, depth: number): Level | undefined {
    return levels.get(depth) ?? this.definitions.get(abstractId)?.levels.get(depth);
  }

  private async read(archive: Archive, part: string): Promise<void> {
    let definition: Definition | undefined;
    let numbering: Numbering | undefined;
    let depth = 0;
    let level: Level | undefined;
    const openLevel = (attributes: Attributes) => {
      depth = Number(attribute(attributes, 'ilvl'));
      level = { start: 1, format: 'decimal', text: '' };
      (numbering ?? definition)?.levels.set(depth, level);
    };
    await readXml(archive.read(part), {
      open: (name, attributes) => {
        const value = attribute(attributes, 'val') ?? '';
        if (name === 'abstractNum') {
          definition = { levels: new Map() };
          this.definitions.set(attribute(attributes, 'abstractNumId') ?? '', definition);
        } else if (name === 'num') {
          numbering = { abstractId: '', startOverrides: new Map(), levels: new Map() };
          this.numberings.set(attribute(attributes, 'numId') ?? '', numbering);
        } else if (name === 'abstractNumId' && numbering) numbering.abstractId = value;
        else if (name === 'lvlOverride') depth = Number(attribute(attributes, 'ilvl'));
        else if (name === 'startOverride') numbering?.startOverrides.set(depth, Number(value));
        else if (name === 'lvl') openLevel(attributes);
        else if (level && name === 'start') level.start = Number(value);
        else if (level && name === 'numFmt') level.format = value as NumberFormat;
        else if (level && name === 'lvlText') level.text = value;
      },
      close: (name) => {
        if (name === 'abstractNum') definition = undefined;
        if (name === 'num') numbering = undefined;
        if (name === 'lvl') level = undefined;
      },
    });
  }
}
