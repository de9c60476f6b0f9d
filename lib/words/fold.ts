/*
 * Letters that Unicode does not decompose, after CLDR's transform Latin-ASCII, for living alphabets; and the final
 * sigma.
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
/** Accents and optional points; not the marks of voiced kana, nor the vowel signs of India. */
const ACCENTS = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]+/gv

/**
 * The form in which texts are searched and filtered, on the server and in the browser: lowercase, without accents, with
 * ASCII letters for `ß`, `ø`, `ł` and the like, and ordinary forms of full-width characters.
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

export function hasAllWords(text: string, typed: string): boolean {
  const folded = fold(text)
  return fold(typed)
    .split(/\s+/)
    .every(word => folded.includes(word))
}
