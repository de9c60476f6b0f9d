export interface Span {
  from: number
  to: number
  /** `COLOUR` of a variable `--code-COLOUR` in tokens.css. */
  colour: string
}
export interface Question {
  code: string
  language: string
}
