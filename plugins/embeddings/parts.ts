/** Characters of a part: about what a model reads at once. */
const MAX_PART_LENGTH = 1_000
/** Parts of a text that are embedded: what comes later says little about the whole. */
const MAX_PARTS = 8

/** A text in pieces that a model can read, cut between words where there are any. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let rest = text.trim(); rest !== '' && parts.length < MAX_PARTS;) {
    const piece = rest.slice(0, MAX_PART_LENGTH)
    const gap = rest.length > MAX_PART_LENGTH ? piece.search(/\s\S*$/) : -1
    const end = gap > MAX_PART_LENGTH / 2 ? gap : piece.length
    // Half of a character that two code units make is none.
    parts.push(rest.slice(0, end).toWellFormed())
    rest = rest.slice(end).trimStart()
  }
  return parts
}
