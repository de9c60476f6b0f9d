declare module 'snowball-stemmers' {
  export function newStemmer(language: 'english'): { stem(word: string): string }
}
declare module 'stopword' {
  /** English stop words. */
  export const eng: string[]
}
