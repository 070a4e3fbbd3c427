/** Of the longest host name with scheme and port. */
export const MAX_ORIGIN_LENGTH = 'https://'.length + 253 + ':65535'.length;
