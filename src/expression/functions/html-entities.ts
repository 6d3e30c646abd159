/** Names of the characters U+00A0 to U+00FF, in order. */
const latin = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;

/** Other names, each before its character. */
const others = `quot " QUOT " amp & AMP & lt < LT < gt > GT > apos ' COPY © REG ® OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ
fnof ƒ circ ˆ tilde ˜ Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ
Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ
epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ
tau τ upsilon υ phi φ chi χ psi ψ omega ω thetasym ϑ upsih ϒ piv ϖ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚
ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾
frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ TRADE ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵
lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑
minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠
equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊
rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ check ✓ phone ☎ star ☆ num # percnt % commat @
lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ; equals = quest ? excl ! lsqb [ rsqb ] lowbar _
lcub { verbar | rcub } hyphen ‐ dash ‐ horbar ― inodot ı`;

/** Names of characters that a list separated by blanks cannot hold. */
const blanksAndMarks: Readonly<Record<string, string>> = {
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
  zwnj: "\u200c",
  zwj: "\u200d",
  lrm: "\u200e",
  rlm: "\u200f",
  dollar: "$",
  bsol: "\\",
  grave: "`",
  Tab: "\t",
  NewLine: "\n",
};

const latinNames = latin.split(/\s+/);
const named = new Map<string, string>([
  ...latinNames.map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...Array.from(others.matchAll(/(\S+)\s(\S)/gu), ([, name = "", character = ""]) => [name, character] as const),
  ...Object.entries(blanksAndMarks),
]);

/** Names that browsers also read without the semicolon. */
const bareNames = new Set([...latinNames, "amp", "AMP", "lt", "LT", "gt", "GT", "quot", "QUOT", "COPY", "REG"]);

/** Characters of the longest of them. */
const bareLengthMax = Math.max(...Array.from(bareNames, (name) => name.length));

/** What browsers show for the numbers 128 to 159: the characters of Windows-1252. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * A text with its character references decoded: numbers, and the names of HTML 4 with the common ones of HTML 5. A space
 * that does not break becomes a plain one.
 */
export function decodeEntities(text: string): string {
  return text
    .replace(/&(?:#[xX]([0-9a-fA-F]+);?|#(\d+);?|([A-Za-z][A-Za-z0-9]*)(;?))/g, decodeReference)
    .replaceAll("\u00a0", " ");
}

function decodeReference(
  reference: string,
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
  semicolon: string,
): string {
  if (name === undefined) return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  const character = named.get(name);
  if (character !== undefined && (semicolon === ";" || bareNames.has(name))) return character;
  // The longest name at the start counts: `&ampx` is `&x`.
  for (let length = Math.min(name.length - 1, bareLengthMax); length >= 2; length--) {
    const start = name.slice(0, length);
    if (bareNames.has(start)) return (named.get(start) ?? "") + name.slice(length) + semicolon;
  }
  return reference;
}

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows.charAt(code - 0x80);
  const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isCharacter ? code : 0xfffd);
}
