import { describe, expect, it } from '@jest/globals';
import { findInheritedNames } from './inherited-names.js';

describe(findInheritedNames.name, () => {
  it('finds them at any depth', () => {
    const body: unknown = JSON.parse(
      '{"a":1,"toString":1,"b":{"constructor":{}},"c":[{"d":{"__proto__":1}},{"prototype":null}]}',
    );
    expect(findInheritedNames(body)).toEqual([
      'toString',
      'b.constructor',
      'c.0.d.__proto__',
      'c.1.prototype',
    ]);
  });

  it.each([undefined, null, 'constructor', 1, [], {}, { constructors: 1 }, [['toString']]])(
    'finds none in %j',
    (value) => {
      expect(findInheritedNames(value)).toEqual([]);
    },
  );

  it('looks into no instance of a class', () => {
    class Upload {
      toString = () => 'a file';
    }
    expect(findInheritedNames({ file: new Upload() })).toEqual([]);
  });
});
