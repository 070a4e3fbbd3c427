/**
 * The package that runs ONNX models. It is no dependency, because it has 288 MB: operators who use
 * a local model install it. The version is that of the development dependency in package.json.
 */
export const RUNTIME_PACKAGE = 'onnxruntime-node@1.30';
