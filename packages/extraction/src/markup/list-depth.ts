export const measureIndent = (line: string): number => line.length - line.trimStart().length;

/** The depths of list items by their indentation. */
export class ListDepth {
  private readonly indents: number[] = [];

  /** From 0, the outermost. */
  depthAt(indent: number): number {
    while ((this.indents.at(-1) ?? -1) >= indent) this.indents.pop();
    return this.indents.push(indent) - 1;
  }

  end(): void {
    this.indents.length = 0;
  }
}
