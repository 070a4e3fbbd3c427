import type { LatexInput } from './latex-input.js';

const DEFINITION = /^(?:(?:re)?new|provide)command$/;
const MAX_PARAMETERS = 9;
const MAX_EXPANSION = 100_000;

interface Macro {
  readonly parameters: number;
  /** The default of the optional first argument. */
  readonly option: string | undefined;
  readonly body: string;
}

/** The commands that a document defines. */
export class LatexMacros {
  private readonly macros = new Map<string, Macro>();

  constructor(private readonly input: LatexInput) {}

  has(name: string): boolean {
    return this.macros.has(name);
  }

  /** @returns whether the command defines one */
  define(command: string): boolean {
    const { input } = this;
    if (DEFINITION.test(command)) {
      const name = input.takeArgument().trim();
      const parameters = Number(input.takeOption() ?? 0);
      const option = input.takeOption();
      this.macros.set(name, { parameters, option, body: input.takeArgument() });
      return true;
    }
    if (command !== 'def') return false;
    const name = input.next() ?? '';
    // `#1#2`; a pattern with other signs is read as if it had none.
    const parameters = input.takeRawUntil('{').match(/#\d/g)?.length ?? 0;
    input.putBack('{');
    this.macros.set(name, { parameters, option: undefined, body: input.takeArgument() });
    return true;
  }

  /** Inserts the expansion of a macro before the rest, or nothing if it would grow too large. */
  expand(name: string): void {
    const macro = this.macros.get(name);
    if (!macro) return;
    const { parameters, option, body } = macro;
    const given: string[] = option === undefined ? [] : [this.input.takeOption() ?? option];
    while (given.length < Math.min(parameters, MAX_PARAMETERS))
      given.push(this.input.takeArgument());
    if (!this.input.hasRoom(body.length)) return;
    const longest = Math.max(0, ...given.map(({ length }) => length));
    if (body.length + longest * (body.match(/#/g)?.length ?? 0) > MAX_EXPANSION) return;
    this.input.expand(body.replace(/#(\d)/g, (_, at: string) => given[Number(at) - 1] ?? ''));
  }
}
