/**
 * @typedef {object} Instruction
 * @property {string} name such as `RUN`
 * @property {string} text what follows it, on one line
 */

/**
 * The instructions of a Dockerfile. Supports what ours uses: no heredocs, no parser directives.
 *
 * @param {string} text
 * @returns {Instruction[]}
 */
export function readDockerfile(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => {
      const [, name = '', rest = ''] = /^\s*(\w+)\s+(.*?)\s*$/.exec(line) ?? [];
      return { name: name.toUpperCase(), text: rest };
    });
}

/**
 * @param {string} text of `CMD`, and of what follows `CMD` in `HEALTHCHECK`
 * @returns {string[]}
 */
export function readCommand(text) {
  if (!text.startsWith('[')) throw new Error(`A shell would not pass signals on to ${text}`);
  return JSON.parse(text);
}

/**
 * @param {string} text of `ENV`
 * @returns {Record<string, string>}
 */
export const readVariables = (text) =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value]));
