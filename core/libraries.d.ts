declare module 'semver' {
  /** True if a version is within a range. */
  export function satisfies(version: string, range: string): boolean
}
declare module 'snowball-stemmers' {
  export function newStemmer(language: 'english'): { stem(word: string): string }
}
declare module 'stopword/src/stopwords_eng.js' {
  /** English stop words. */
  export const eng: string[]
}
/** Node's types do not declare it. */
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
