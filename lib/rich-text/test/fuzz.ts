import fc from 'fast-check'
import { documents, editedDocuments, markdowns, smallEdits } from './generators.ts'
import {
  bytesReturn,
  documentSurvives,
  meaningSurvives,
  noBlockIsRewrittenNeedlessly,
  rewritingIsStable,
  secondTripIsSame
} from './properties.ts'
import { serialize } from '../index.ts'

/*
 * npm run fuzz:text [-- --cases N --seed S]: counts failures over random texts and documents, and shows the shortest
 * few. Exits with 1 when a text loses bytes or changes on a second trip, when a block is rewritten needlessly, or when
 * more than one in 100,000 changes its meaning. "Written otherwise" is counted only: the second writing, without the
 * source of the first, chose other escapes.
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const cases = option('cases', 100_000)
const seed = option('seed', Date.now() % 1_000_000)
const shown = option('show', 5)

const failures: Record<string, string[]> = {
  'bytes changed': [],
  'meaning changed': [],
  'second trip changed': [],
  'written otherwise': [],
  'document changed': [],
  'rewritten needlessly': []
}

function note(kind: string, input: string, problem: string | null) {
  if (problem !== null) failures[kind]?.push(`${input}\n  ${problem.replaceAll('\n', '\n  ')}`)
}

console.log(`${cases} cases, seed ${seed}`)
for (const markdown of fc.sample(markdowns, { numRuns: Math.ceil(cases / 2), seed })) {
  const input = JSON.stringify(markdown)
  note('bytes changed', input, bytesReturn(markdown))
  note('meaning changed', input, meaningSurvives(markdown))
  note('second trip changed', input, secondTripIsSame(markdown))
  note('written otherwise', input, rewritingIsStable(markdown))
}
for (const doc of fc.sample(fc.oneof(documents, editedDocuments), { numRuns: Math.floor(cases / 2), seed })) {
  const input = JSON.stringify(doc)
  note('document changed', input, documentSurvives(doc))
  note('second trip changed', input, bytesReturn(serialize(doc)))
}
for (const doc of fc.sample(smallEdits, { numRuns: Math.floor(cases / 2), seed })) {
  const input = JSON.stringify([doc.attrs.source, ...doc.children.map(block => block.toJSON())])
  note('document changed', input, documentSurvives(doc))
  note('rewritten needlessly', input, noBlockIsRewrittenNeedlessly(doc))
}

const count = (kind: string) => failures[kind]?.length ?? 0
for (const [kind, failuresOfKind] of Object.entries(failures)) {
  console.log(`${kind}: ${failuresOfKind.length}`)
  for (const failure of failuresOfKind.sort((a, b) => a.length - b.length).slice(0, shown)) console.log(failure)
}
const changed = count('meaning changed') + count('document changed')
const never = count('bytes changed') + count('second trip changed') + count('rewritten needlessly')
process.exitCode = never > 0 || changed > Math.ceil(cases / 100_000) ? 1 : 0
