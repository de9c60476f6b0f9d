/** Characters of a part: about the length that a model reads at once. */
const MAX_PART_LENGTH = 1_000
/** Maximum embedded parts of a text: later ones say little about the whole. */
const MAX_PARTS = 8

export function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let rest = text.trim(); rest !== '' && parts.length < MAX_PARTS;) {
    const piece = rest.slice(0, MAX_PART_LENGTH)
    const gap = rest.length > MAX_PART_LENGTH ? piece.search(/\s\S*$/) : -1
    const end = gap > MAX_PART_LENGTH / 2 ? gap : piece.length
    // Removes half of a surrogate pair.
    parts.push(rest.slice(0, end).toWellFormed())
    rest = rest.slice(end).trimStart()
  }
  return parts
}
