/**
 * What runs ONNX models, with its version: 290 MB, so the operator installs it where there is a model.
 * The version is the one that package.json has for development.
 */
export const RUNTIME_PACKAGE = 'onnxruntime-node@1.30';
