/** An object on a slide with its rectangle, if the file gives one. */
export interface Placed {
  readonly box: SlideBox | undefined;
}

/** A rectangle in any unit, measured from the upper left. */
export interface SlideBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** More shapes stay in the order of the file. */
const MAX_SHAPES = 300;
/** Boxes may overlap by a tenth of the smaller one. */
const OVERLAP = 0.1;

/**
 * Sorts shapes into reading order. The order of the file remains if it goes from top to bottom and along
 * the lines; otherwise shapes are read by columns. Shapes without a position stay where they are in the file.
 */
export function inReadingOrder<T extends Placed>(
  shapes: readonly T[],
  isRightToLeft: boolean,
): T[] {
  const placed = shapes.flatMap((shape) => {
    const { box } = shape;
    if (!box) return [];
    return { shape, box: isRightToLeft ? { ...box, x: -box.x - box.width } : box };
  });
  if (placed.length < 2 || placed.length > MAX_SHAPES || isInOrder(placed)) return [...shapes];
  const sorted = sort(placed).values();
  return shapes.map((shape) => (shape.box ? (sorted.next().value?.shape ?? shape) : shape));
}

interface PlacedShape<T> {
  readonly shape: T;
  readonly box: SlideBox;
}

const isInOrder = <T>(shapes: readonly PlacedShape<T>[]): boolean =>
  shapes.every(({ box }, at) => !shapes.slice(at + 1).some((later) => isBefore(later.box, box)));

/** Whether a box is above another one, or left of it beside it. */
function isBefore(one: SlideBox, other: SlideBox): boolean {
  const isAbove = endsBefore(one.y, one.height, other.y, other.height);
  const isLeft = endsBefore(one.x, one.width, other.x, other.width);
  const isBelow = endsBefore(other.y, other.height, one.y, one.height);
  const isRight = endsBefore(other.x, other.width, one.x, one.width);
  return (isAbove && !isLeft && !isRight) || (isLeft && !isAbove && !isBelow);
}

const endsBefore = (start: number, length: number, next: number, nextLength: number): boolean =>
  start + length <= next + OVERLAP * Math.min(length, nextLength);

/** Cuts the shapes into columns where no shape crosses, else into rows, and these again. */
function sort<T>(shapes: readonly PlacedShape<T>[]): PlacedShape<T>[] {
  if (shapes.length < 2) return [...shapes];
  for (const [start, length] of [
    ['x', 'width'],
    ['y', 'height'],
  ] as const) {
    const parts = cut(shapes, ({ box }) => [box[start], box[length]]);
    if (parts.length > 1) return parts.flatMap((part) => sort(part));
  }
  return shapes.toSorted((one, other) => one.box.y - other.box.y || one.box.x - other.box.x);
}

function cut<T>(
  shapes: readonly PlacedShape<T>[],
  getExtent: (shape: PlacedShape<T>) => [start: number, length: number],
): PlacedShape<T>[][] {
  const parts: PlacedShape<T>[][] = [];
  let end = -Infinity;
  let smallest = Infinity;
  for (const shape of shapes.toSorted((one, other) => getExtent(one)[0] - getExtent(other)[0])) {
    const [start, length] = getExtent(shape);
    const part = parts.at(-1);
    if (part && start < end - OVERLAP * Math.min(smallest, length)) part.push(shape);
    else {
      parts.push([shape]);
      smallest = Infinity;
    }
    end = Math.max(end, start + length);
    smallest = Math.min(smallest, length);
  }
  return parts;
}
