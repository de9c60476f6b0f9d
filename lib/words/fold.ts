/*
 * Letters that Unicode does not decompose, as CLDR's transform Latin-ASCII writes them; only those of living
 * alphabets. And the Greek sigma at the end of a word.
 * @see https://github.com/unicode-org/cldr/blob/main/common/transforms/Latin-ASCII.xml
 */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'q',
  ł: 'l',
  ŋ: 'n',
  œ: 'oe',
  ŧ: 't',
  ɓ: 'b',
  ɖ: 'd',
  ɗ: 'd',
  ɛ: 'e',
  ƒ: 'f',
  ƙ: 'k',
  ɲ: 'n',
  ƴ: 'y',
  ς: 'σ'
}
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const ASCII = /^[\0-\x7f]*$/
/** Accents, and points that may be left out; but not the marks of voiced kana, nor the vowel signs of India. */
const ACCENTS = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]+/gv

/**
 * A text as it is compared wherever words are searched for or filtered, on the server and in the browser: lower case,
 * without accents, with ASCII letters for `ß`, `ø`, `ł` and the like, full-width forms as the usual ones.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(UNDECOMPOSED, letter => LETTERS[letter] ?? letter)
    .normalize('NFC')
}

/** Whether a text contains each word of what was typed, as a filter of a list finds its rows. */
export function hasAllWords(text: string, typed: string): boolean {
  const folded = fold(text)
  return fold(typed)
    .split(/\s+/)
    .every(word => folded.includes(word))
}
