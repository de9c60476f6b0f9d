import { oneLine } from '../markdown.ts'
import { partsOf, withEdits } from '../references.ts'
import { textOf } from '../values/values.ts'

export interface TaskComment {
  author: string | undefined
  at: string | undefined
  text: string
}

const MARKER = /^<!-- (?:AC|DOD|SECTION:[A-Z_]+|COMMENTS):(?:BEGIN|END) -->\n?/gm
const COMMENTS = /(?:^## Comments\s*\n)?^<!-- COMMENTS:BEGIN -->\n([\s\S]*?)(?:^<!-- COMMENTS:END -->\n?|(?![\s\S]))/dm
/** It ends at a line of dashes. */
const COMMENT = /^author:(.*)\ncreated:(.*)\n---\n([\s\S]*?)\n---[ \t]*(?=\n|$)/dgm

/** Without section markers. */
export function readBody(body: string): { description: string; comments: TaskComment[] } {
  const markup = withBlankCode(body)
  const section = COMMENTS.exec(markup)
  const [start, end] = section?.indices?.[0] ?? [body.length, body.length]
  const cuts = [...markup.matchAll(MARKER)]
    .map(({ 0: { length }, index }) => ({ start: index, end: index + length, text: '' }))
    .filter(cut => cut.end <= start || cut.start >= end)
  const edits = [...cuts, { start, end, text: '' }].sort((a, b) => a.start - b.start)
  return { description: withEdits(body, edits).trim(), comments: commentsIn(body, markup, section?.indices?.[1]) }
}

/** They hold no markers. */
function withBlankCode(body: string): string {
  const edits = partsOf(body)
    .map(({ kind, start, end }) => ({ kind, start, end, text: body.slice(start, end) }))
    .filter(({ kind, text }) => kind === 'code' || (kind === 'comment' && text.search(MARKER) !== 0))
    .map(({ start, end, text }) => ({ start, end, text: text.replaceAll(/[^\n]/g, ' ') }))
  return withEdits(body, edits)
}

function commentsIn(body: string, markup: string, [start, end]: [number, number] = [0, 0]): TaskComment[] {
  return [...markup.slice(start, end).matchAll(COMMENT)].map(({ indices = [] }) => {
    const groups = indices.slice(1).map(([from, to] = [0, 0]) => body.slice(start + from, start + to))
    const [author = '', at, text = ''] = groups
    return {
      author: textOf(author) === undefined ? undefined : oneLine(author.trim().replace(/^@/, ''), 200),
      at,
      text: text.trim()
    }
  })
}
