import { isOn } from './properties.js';

interface CheckBox {
  isChecked: boolean;
  isWritten: boolean;
}

const toMark = (isChecked: boolean): string => (isChecked ? '☒' : '☐');

/** Check boxes of Word, as controls around text or as fields of old forms. */
export class CheckBoxes {
  /** The open controls, and which of them are check boxes. */
  private readonly controls: (CheckBox | undefined)[] = [];
  private field: boolean | undefined;

  open(name: string, value: string | undefined): void {
    const control = this.controls.at(-1);
    if (name === 'sdt') this.controls.push(undefined);
    else if (name === 'checkbox' && this.controls.length > 0) {
      this.controls[this.controls.length - 1] = { isChecked: false, isWritten: false };
    } else if (name === 'checkBox') this.field = false;
    else if (this.field !== undefined) {
      if (name === 'checked' || name === 'default') this.field = isOn(value);
    } else if (name === 'checked' && control) control.isChecked = isOn(value);
  }

  /** @returns the text that replaces the field, if it ends here */
  close(name: string): string {
    if (name === 'sdt') this.controls.pop();
    if (name !== 'checkBox' || this.field === undefined) return '';
    const mark = toMark(this.field);
    this.field = undefined;
    return mark;
  }

  /** Replaces the text of a check box by its state, since programs draw it with different characters. */
  replaceText(text: string): string {
    const box = this.controls.at(-1);
    if (!box) return text;
    const mark = box.isWritten ? '' : toMark(box.isChecked);
    box.isWritten = true;
    return mark;
  }
}
