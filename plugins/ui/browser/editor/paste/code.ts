/** Lines as programs have them: with the marks at their ends, or with a keyword at their start. */
const ENDS = /[;{}]$|^[)\]}]|=>$|\):$|\($/
const STARTS =
  /^(?:import|from|const|let|var|def|class|return|if|else|elif|for|while|public|private|package|use|fn|func|function)\b/
const PART_OF_STATEMENT = /[=(){};:'"]/
/** Lines that are Markdown, and no code: a fence, a heading with words, a task, a row of a table. */
const MARKDOWN = /^(?:`{3,}|~{3,}|#{2,6} |[-*+] \[[ x]\] |\|.*\|$)/i
const MIN_LINES = 3
const MIN_PART = 0.6

/** In doubt it is a text. */
export function isCode(text: string): boolean {
  const lines = text.split('\n').flatMap(line => line.trim() || [])
  if (lines.length < MIN_LINES || lines.some(line => MARKDOWN.test(line))) return false
  const isOfCode = (line: string) => ENDS.test(line) || (STARTS.test(line) && PART_OF_STATEMENT.test(line))
  return lines.filter(isOfCode).length >= lines.length * MIN_PART
}
