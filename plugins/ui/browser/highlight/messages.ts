export interface Span {
  from: number
  to: number
  /** Of `--code-COLOUR` in tokens.css. */
  colour: string
}
export interface Question {
  code: string
  language: string
}
export interface Answer {
  spans: Span[]
}
