/**
 * Whether a name fits a pattern, in which `*` stands for any characters and `?` for one. It takes at most as
 * many steps as the product of both lengths, whatever the pattern is.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const [characters, wanted] = [[...name], [...pattern]];
  let [at, next, star, restart] = [0, 0, -1, 0];
  while (at < characters.length) {
    if (wanted[next] === '*') [star, restart, next] = [next, at, next + 1];
    else if (wanted[next] === '?' || wanted[next] === characters[at])
      [at, next] = [at + 1, next + 1];
    else if (star >= 0) [restart, at, next] = [restart + 1, restart + 1, star + 1];
    else return false;
  }
  return wanted.slice(next).every((character) => character === '*');
}
