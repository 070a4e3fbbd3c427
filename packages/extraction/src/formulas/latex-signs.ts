const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma ' +
  'sigma tau upsilon phi chi psi omega';
const FIRST_GREEK = 0x3b1;
/** Greek capitals that look like Latin ones have no command. */
const CAPITALS = 'ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega';
const OTHERS =
  '×times ÷div ±pm ∓mp ·cdot ⋅cdot ∗ast ∘circ ≤leq ≥geq ≠neq ≈approx ≡equiv ∼sim ≃simeq ≅cong ∝propto ' +
  '≪ll ≫gg ∈in ∉notin ∋ni ⊂subset ⊆subseteq ⊃supset ⊇supseteq ∪cup ∩cap ∅emptyset ∖setminus ∀forall ' +
  '∃exists ¬neg ∧wedge ∨vee ⊕oplus ⊗otimes ⊥perp ∥parallel ∠angle ∞infty ∂partial ∇nabla ∫int ∬iint ' +
  '∭iiint ∮oint ∑sum ∏prod ⋃bigcup ⋂bigcap √surd →to ←leftarrow ↔leftrightarrow ⇒Rightarrow ' +
  '⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow ↓downarrow …ldots ⋯cdots ⋮vdots ⋱ddots ′prime ℏhbar ℓell ' +
  'ℜRe ℑIm ϵepsilon ϑvartheta ϕphi ϖvarpi ϱvarrho ⟨langle ⟩rangle ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ‖Vert ' +
  '†dagger ⋆star ∎blacksquare';

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ...GREEK.split(' ').map((name, at): [string, string] => [
    String.fromCodePoint(FIRST_GREEK + at),
    `\\${name}`,
  ]),
  ...`${CAPITALS} ${OTHERS}`
    .split(' ')
    .map((each): [string, string] => [each.charAt(0), `\\${each.slice(1)}`]),
]);
/** Commands that set a sign over or under something, by the sign. */
const ACCENTS: Readonly<Record<string, string>> = {
  '^': 'hat',
  ˆ: 'hat',
  '\u0302': 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '\u0303': 'tilde',
  '¯': 'bar',
  '‾': 'overline',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '→': 'vec',
  '⃗': 'vec',
  '˙': 'dot',
  '\u0307': 'dot',
  '¨': 'ddot',
  '\u0308': 'ddot',
  '⏞': 'overbrace',
  '⏟': 'underbrace',
  _: 'underline',
};
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|exp|log|ln|lg|lim|limsup|liminf|max|min|sup|inf|det|dim|ker|gcd|deg|arg|Pr)$/;
/** Italic and bold letters of mathematics are letters. */
const STYLED = /[\u{1d400}-\u{1d7ff}]/u;

/** Writes the text of a formula as LaTeX. */
export function writeSigns(text: string): string {
  const name = text.trim();
  if (FUNCTIONS.test(name)) return `\\${name} `;
  if (/^\p{L}{2,}$/u.test(name) && !STYLED.test(name)) return `\\mathrm{${name}}`;
  let latex = '';
  for (const sign of name) {
    const plain = STYLED.test(sign) ? sign.normalize('NFKC') : sign;
    const command = COMMANDS.get(plain);
    if (command !== undefined) latex += `${command} `;
    else if (/[{}%&#$_]/.test(plain)) latex += `\\${plain}`;
    // Invisible operators, such as function application, are left out.
    else if (!/[\u2061-\u2064\u200b]/.test(plain)) latex += plain === '−' ? '-' : plain;
  }
  return latex;
}

/** The command that sets a sign over something. */
export const findAccent = (sign: string): string | undefined => ACCENTS[sign.trim()];

/** A group in braces, unless it is one sign. */
export const wrapInBraces = (latex: string): string => `{${latex.trim()}}`;

/** One sign or command needs no braces before a power or an index. */
export const wrapBase = (latex: string): string =>
  /^(?:[^\\{}\s]|\\[A-Za-z]+ ?)$/u.test(latex.trim()) ? latex.trim() : wrapInBraces(latex);
