import type { ActivityChange } from '../../contract.ts'

export const RELATION_NAMES: Readonly<Record<string, string>> = {
  BLOCKS: 'blocks',
  BLOCKED: 'is blocked by',
  RELATED: 'is related to',
  DUPLICATE: 'has the duplicate',
  DUPLICATE_OF: 'is a duplicate of',
  SIMILAR: 'is similar to'
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  dueDate: 'due date',
  stateCategory: 'category of the state'
}
/** Names for a list of changes, instead of sentences. */
const EVENT_NAMES: Readonly<Record<string, string>> = {
  filed: 'creation',
  deleted: 'removal',
  restored: 'restoration',
  override: 'overridden rules'
}
/** Changes of lists, which are added to or removed from. */
const PARTS = new Set(['label', 'link', 'relation'])
const SENTENCES: Readonly<Record<string, string>> = {
  filed: 'created the issue',
  deleted: 'removed the issue',
  restored: 'restored the issue',
  evidence: 'changed the evidence of criteria'
}

/** `ENG-1 BLOCKS ENG-2` with the name of the relation. */
const relationText = (value: string): string =>
  value.replace(/^(\S+) (\S+) (\S+)$/, (all, one: string, type: string, other: string) => {
    const name = RELATION_NAMES[type]
    return name === undefined ? all : `${one} ${name} ${other}`
  })

/** `changed the state from Todo to Done` */
export function sentenceOf({ change, from, to }: ActivityChange): string {
  const sentence = SENTENCES[change]
  if (sentence !== undefined) return sentence
  if (change === 'override') return `completed it, overriding: ${to ?? ''}`
  const field = FIELD_NAMES[change] ?? change
  const text = change === 'relation' ? relationText : (value: string) => value
  if (from === null && to === null) return `changed the ${field}`
  if (to === null) return `removed the ${field} ${text(from ?? '')}`
  if (from === null) return PARTS.has(change) ? `added the ${field} ${text(to)}` : `set the ${field} to ${to}`
  return `changed the ${field} from ${from} to ${to}`
}

export const joined = (sentences: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(sentences)

/** The names of the changes, each once. */
export const fieldsOf = (changes: readonly ActivityChange[]): string =>
  joined([...new Set(changes.map(({ change }) => EVENT_NAMES[change] ?? FIELD_NAMES[change] ?? change))])
