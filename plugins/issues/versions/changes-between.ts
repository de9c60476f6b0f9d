import { isDeepStrictEqual } from 'node:util'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { ticksBetween } from './ticks-between.ts'

export type Fields = Record<string, unknown>

/** The fields by which a reader knows a comment again. */
const RECOGNISED_BY = ['id', 'author', 'createdAt']

export const timeOf = ({ createdAt, at }: Fields): string => String(createdAt ?? at ?? '')

export const entriesIn = (value: unknown): Fields[] | undefined =>
  Array.isArray(value) && value.every(item => hasFields(item) && timeOf(item) !== '') ? value : undefined

/**
 * The changed fields of a context, including those of plugins; null: the field is no longer there. Lists that grow have
 * only new and changed entries, and removed ones with `removed: true`, whose ids are also in the field `removed`. If
 * only ticks of the description have changed, their lines are in `ticks` instead of it.
 * @param growing the names of these lists
 */
export function changesBetween(before: Fields, now: Fields, growing: readonly string[]): Fields {
  const removed: string[] = []
  const isCut = (name: string) => hasFields(now['omitted']) && name in now['omitted']
  const changes = changedFields(before, now, (name, former, present) =>
    growing.includes(name) ? changedEntries(former, present, removed, isCut(name)) : undefined
  )
  const { descriptionMarkdown: from } = before
  const { descriptionMarkdown: to, ...others } = changes
  const ticks = typeof from === 'string' && typeof to === 'string' ? ticksBetween(from, to) : undefined
  return {
    ...(ticks === undefined ? changes : { ...others, ticks }),
    ...(removed.length > 0 && { removed })
  }
}

type EntriesChange = (name: string, before: Fields[], now: Fields[]) => Fields[] | undefined

function changedFields(before: Fields, now: Fields, changeOf: EntriesChange): Fields {
  const changes: Fields = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [former, present] = [before[name], now[name]]
    if (isDeepStrictEqual(former, present)) continue
    const entries = [entriesIn(former), entriesIn(present)]
    const changed = entries[0] && entries[1] && changeOf(name, entries[0], entries[1])
    changes[name] = changed ?? present ?? null
  }
  return changes
}

/**
 * @param removed gets the ids of entries that are no longer there
 * @param isCut true if entries older than the first one are left out
 */
function changedEntries(before: Fields[], now: Fields[], removed: string[], isCut: boolean): Fields[] {
  // Two entries of the history may be the same.
  const former = Map.groupBy(before, nameOf)
  const changed = now.flatMap(entry => {
    const old = former.get(nameOf(entry))?.shift()
    if (old === undefined) return [entry]
    if (isDeepStrictEqual(old, entry)) return []
    if (!('id' in entry)) return [entry]
    const ofReplies: EntriesChange = (_, replies, present) => changedEntries(replies, present, removed, false)
    return [{ ...recognised(entry), ...changedFields(old, entry, ofReplies) }]
  })
  const oldest = isCut && now[0] ? timeOf(now[0]) : ''
  const gone = [...former.values()].flat().filter(entry => 'id' in entry && timeOf(entry) >= oldest)
  removed.push(...gone.map(({ id }) => String(id)))
  return [...gone.map(entry => ({ ...recognised(entry), removed: true })), ...changed]
}

/** Entries of the history have no id: of one, only the name of its actor changes. */
const nameOf = (entry: Fields): string =>
  'id' in entry ? String(entry['id']) : JSON.stringify({ ...entry, actor: undefined })

const recognised = (entry: Fields): Fields =>
  Object.fromEntries(RECOGNISED_BY.filter(name => name in entry).map(name => [name, entry[name]]))
