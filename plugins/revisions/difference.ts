/** A part of two texts: lines of both, or of one of them. */
export interface DifferencePart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Milliseconds after which texts are taken for unrelated: no request keeps the process for longer. */
const TIMEOUT_MS = 50

/** The difference of two texts in whole lines; of texts that are unrelated, all of both. */
export async function difference(before: string, after: string): Promise<DifferencePart[]> {
  // Loaded on the first use: a start does not need it.
  const { diffLines } = await import('diff/lib/diff/line.js')
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS })
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
