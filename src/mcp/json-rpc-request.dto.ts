/** A message of JSON-RPC 2.0, or a list of them; the protocol's own server validates it. */
export type JsonRpcRequestDto = unknown;
