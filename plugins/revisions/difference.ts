export interface DifferencePart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/**
 * Texts with more removed and added lines are taken for unrelated: the search for equal ones keeps the process. Not
 * after a time, after which a busy process would take all texts for unrelated.
 */
const MAX_CHANGED_LINES = 1000

/** In whole lines; of texts that are unrelated, all of both. */
export async function difference(before: string, after: string): Promise<DifferencePart[]> {
  // Loaded on the first use: a start does not need it.
  const { diffLines } = await import('diff/lib/diff/line.js')
  const parts = diffLines(before, after, { maxEditLength: MAX_CHANGED_LINES })
  if (parts === undefined) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after }
    ]
  }
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value
  }))
}
