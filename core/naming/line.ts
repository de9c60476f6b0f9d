/*
 * One line of text: names, titles, labels. Stored in NFC, trimmed, without invisible characters. Control and bidi
 * characters and noncharacters are refused, because removing them would change the visible text.
 */

const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Khmer', 'Myanmar', 'Balinese', 'Javanese', 'Sundanese', 'Grantha', 'Tirhuta', 'Modi', 'Newa', 'Kaithi']
]
const JOINING = String.raw`[[${JOINING_SCRIPTS.map(name => String.raw`\p{scx=${name}}`).join('')}]&&[\p{L}\p{M}]]`

/** The flag of a region, spelt in tags. */
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,30}\u{E007F}/gv

/** Sequences whose invisible characters change the rendering: UAX #31, UTS #51 and UTS #37. */
const MEANT = [
  FLAG.source,
  // Joined emoji.
  String.raw`(?<=\p{ExtPict}[\uFE0F\p{EMod}]?)\u200D(?=\p{ExtPict})`,
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  // Within words; at the end of a word, a joiner chooses the form of the last letter.
  String.raw`(?<=${JOINING})\u200C(?=${JOINING})`,
  String.raw`(?<=${JOINING})\u200D`,
  String.raw`(?<=[\p{Ideographic}\p{Sm}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{scx=Mongolian})[\u180B-\u180F]`
].join('|')
const MEANT_OR_INVISIBLE = new RegExp(String.raw`(${MEANT})|[\p{DI}\uFFF9-\uFFFB]`, 'gv')

const REFUSED: ReadonlyArray<readonly [what: string, characters: RegExp]> = [
  ['control characters or line breaks', /[\p{Cc}\u2028\u2029]/u],
  ['marks that change the direction of text', /\p{Bidi_Control}/u],
  ['tags, which nobody sees', /[\u{E0000}-\u{E007F}]/u],
  ['halves of characters', /\p{Cs}/u],
  ['code points that are no characters', /\p{Noncharacter_Code_Point}/u]
]
/** All refused characters, except the tags of flags. */
const REFUSED_CHARACTERS = /[\p{Cc}\u2028\u2029\p{Bidi_Control}\u{E0000}-\u{E007F}\p{Cs}\p{Noncharacter_Code_Point}]/gu
const FLAG_OR_REFUSED = new RegExp(`(${FLAG.source})|${REFUSED_CHARACTERS.source}`, 'gv')
/** Lone marks and the blank braille pattern are invisible, too. */
const VISIBLE = /[^\p{Z}\p{C}\p{DI}\p{M}\u2800]|\p{Co}|\p{Cn}/u

/** The line as stored; empty if nothing of it is visible. Idempotent. */
export function cleanLine(text: string): string {
  const cleaned = text
    .normalize('NFC')
    .replace(MEANT_OR_INVISIBLE, (_, meant?: string) => meant ?? '')
    .normalize('NFC')
    .trim()
  return VISIBLE.test(cleaned) ? cleaned : ''
}

/** The problem with a line, as the end of a sentence that begins with its name; undefined if it is valid. */
export function lineProblem(text: string): string | undefined {
  // Only flags of regions may contain tags.
  const withoutFlags = text.replace(FLAG, flag => '.'.repeat(flag.length))
  const trimmed = withoutFlags.trim()
  for (const [what, characters] of REFUSED) {
    const match = characters.exec(trimmed)
    if (match === null) continue
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const at = [...trimmed.slice(0, match.index)].length + 1
    return `must not contain ${what}: remove U+${code} at character ${at}`
  }
  return undefined
}

/** A valid line from another system's text: line breaks and tabs become spaces, refused characters are removed. */
export const forceLine = (text: string): string =>
  cleanLine(
    text
      .toWellFormed()
      .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
      .replace(FLAG_OR_REFUSED, (_, flag?: string) => flag ?? '')
  )

/** The form in which names are compared: case and width do not matter. */
export const foldLine = (text: string): string => cleanLine(text).normalize('NFKC').toLowerCase()

/** The matches with the exact name, if there are any; otherwise all, which match in lowercase. */
export const exactFirst = <T extends { name: string }>(matches: readonly T[], text: string): readonly T[] => {
  const clean = cleanLine(text)
  const exact = matches.filter(({ name }) => name === clean)
  return exact.length > 0 ? exact : matches
}
