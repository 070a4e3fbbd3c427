import ts from 'typescript';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
}

const CHECKED = 'manifests.ts';

/** Compiles manifests against the types of the Kubernetes API, which allow no unknown fields. */
export function findProblems(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map((manifest, n) => {
      const { apiVersion, kind } = manifest;
      const value = JSON.stringify(manifest);
      return `import type { I${kind} as Type${n} } from 'kubernetes-models/${apiVersion}';
export const manifest${n}: Type${n} = ${value};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => path === CHECKED || files.fileExists(path),
    getSourceFile: (path, languageVersion) =>
      path === CHECKED
        ? ts.createSourceFile(path, source, languageVersion)
        : files.getSourceFile(path, languageVersion),
  };
  const program = ts.createProgram([CHECKED], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(CHECKED))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
