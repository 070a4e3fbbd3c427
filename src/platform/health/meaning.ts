/** Whose vectors search compares; set by the room that has them. */
export class Meaning {
  static describe: () => string = () => 'off';
}
