const tables = new Map<string, Map<string, number[]>>();

/** Text in an encoding of one or two bytes to a character, which Node itself can only read. */
export function encode(text: string, encoding: string): Uint8Array {
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  return Uint8Array.from(
    Array.from(text).flatMap((char) => {
      const bytes = table.get(char);
      if (!bytes) throw new Error(`${encoding} has no ${char}`);
      return bytes;
    }),
  );
}

function tableOf(encoding: string): Map<string, number[]> {
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const char = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(char).length === 1 && !table.has(char)) table.set(char, bytes);
    } catch {
      // No character.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 0xff; first++) {
    for (let second = 0x30; second < 256; second++) add(first, second);
  }
  return table;
}
