import { LRUCache } from 'lru-cache'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { textTokens, tokenize } from '../../../lib/words/tokens.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'

/** Maximum labels that are looked for in a text; most workspaces have about ten. */
const MAX_LABELS = 1_000

const namesWords = new LRUCache<string, string[]>({
  max: 10_000,
  memoMethod: name => tokenize(name).map(({ text }) => text)
})

interface TextFacets {
  /** The labels whose words are all in the text, in any order. */
  labels: Id[]
  states: Id[] | undefined
}

export async function facetsOfText(
  db: Db,
  workspaceId: Id,
  text: string,
  categories: StateCategory[]
): Promise<TextFacets> {
  const states = statesOf(db, workspaceId, categories).select(eb => eb.lit(null).$castTo<string | null>().as('label'))
  const labels = db
    .selectFrom('label')
    .select(['id', eb => eb.ref('name').$castTo<string | null>().as('label')])
    .where(notDeletedIn(workspaceId))
    .orderBy('id')
    .limit(MAX_LABELS)
  const rows = await (categories.length > 0 ? states.unionAll(eb => eb.parens(labels)) : labels).execute()
  const held = new Set(textTokens(text).map(token => token.text))
  const isNamed = (label: string) => {
    const words = namesWords.memo(label)
    return words.length > 0 && words.every(word => held.has(word))
  }
  return {
    labels: rows.flatMap(({ id, label }) => (label !== null && isNamed(label) ? id : [])),
    states: categories.length > 0 ? rows.flatMap(({ id, label }) => (label === null ? id : [])) : undefined
  }
}

export async function statesIn(db: Db, workspaceId: Id, categories: StateCategory[]): Promise<Id[] | undefined> {
  if (categories.length === 0) return undefined
  const states = await statesOf(db, workspaceId, categories).execute()
  return states.map(state => state.id)
}

const statesOf = (db: Db, workspaceId: Id, categories: StateCategory[]) =>
  db.selectFrom('workflowState').select('id').where('workspaceId', '=', workspaceId).where('category', 'in', categories)
