import { sql } from 'kysely'
import { cleanLine } from '../../../../core/api/text.ts'
import { accounts } from '../../fields/fields.ts'
import { anyOf, isIn, isOpen, not } from './conditions.ts'
import type { FilterAsker, IssueFilter } from './extensions.ts'
import {
  ABSENCE,
  badValue,
  collectNames,
  describeValue,
  flagFilter,
  idsOf,
  isAbsence,
  listOf,
  names,
  SETS,
  wordsOf,
  type Condition,
  type Entry,
  type FilterKey
} from './filter-keys.ts'

const MAX_TEXTS = 20
const MAX_TEXT_LENGTH = 200

function textsOf(entry: Entry, name: string): string[] {
  const texts = listOf({ ...entry, value: [entry.value].flat() }, name).map(value => {
    const text = typeof value === 'string' ? cleanLine(value) : ''
    if (text !== '' && text.length <= MAX_TEXT_LENGTH) return text
    throw badValue(name, `must hold texts of at most ${MAX_TEXT_LENGTH} characters; '${describeValue(value)}' is none`)
  })
  if (texts.length > MAX_TEXTS) throw badValue(name, `must have at most ${MAX_TEXTS} texts`)
  return texts
}

const ASCII = /^[\0-\x7f]*$/
/** The database folds both sides, whose letters that are not ASCII it may leave as they are (`mayBeNamed`). */
const formsOf = (text: string): string[] =>
  ASCII.test(text) ? [text] : [...new Set([text, text.toLowerCase(), text.toUpperCase()])]

/** A key, or the beginning of one. */
const KEY_START = /^([a-z][a-z\d]{0,9})-(\d{0,9})$/i
/** `12`, or `#12`, which fewer titles contain. */
const NUMBER = /^#?(\d{1,9})$/

function hasText(workspaceId: string, text: string): Condition {
  const inTitle = formsOf(text).map(form => sql<boolean>`strpos(lower(issue.title), lower(${form}::text)) > 0`)
  const [, identifier, digits] = KEY_START.exec(text) ?? []
  const byKey =
    identifier === undefined
      ? []
      : [
          sql<boolean>`(issue.number::text like ${`${digits}%`} and issue.team_id in (
            select t.id from team t
            where t.workspace_id = ${workspaceId} and lower(t.identifier) = ${identifier.toLowerCase()}))`
        ]
  const [, number] = NUMBER.exec(text) ?? []
  const byNumber = number === undefined ? [] : [sql<boolean>`issue.number = ${Number(number)}`]
  return anyOf([...inTitle, ...byKey, ...byNumber])
}

export const textFilter = (workspaceId: string): FilterKey => ({
  types: ['INCLUDES', 'INCLUDES_ALL', 'EXCLUDES'],
  condition(entry, name) {
    const conditions = textsOf(entry, name).map(text => hasText(workspaceId, text))
    if (entry.filterType === 'INCLUDES_ALL') return sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`
    const any = anyOf(conditions)
    return entry.filterType === 'INCLUDES' ? any : not(any)
  }
})

const CRITERIA = ['MET', 'UNMET', 'NONE'] as const
const CRITERIA_CONDITIONS: Record<(typeof CRITERIA)[number], Condition> = {
  MET: sql`(issue.criteria_total > 0 and issue.criteria_met = issue.criteria_total)`,
  UNMET: sql`issue.criteria_met < issue.criteria_total`,
  NONE: sql`issue.criteria_total = 0`
}

export const criteriaFilter = (): FilterKey => ({
  types: SETS,
  condition(entry, name) {
    const any = anyOf(wordsOf(entry, name, CRITERIA).map(word => CRITERIA_CONDITIONS[word]))
    return entry.filterType === 'IS' ? any : not(any)
  }
})

const MAX_CLOSED_DAYS = 3650

/** Open issues, and those that were closed in the last days. One that was canceled was last changed then, or later. */
export const closedWithinFilter = ({ workspaceId, at }: FilterAsker): FilterKey => ({
  types: ['IS'],
  condition(entry, name) {
    const [value, ...others] = [entry.value].flat()
    const days = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
    const isNumber = typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= MAX_CLOSED_DAYS
    if (others.length > 0 || !isNumber) {
      throw badValue(name, `must be a number of days, from 0 to ${MAX_CLOSED_DAYS}`)
    }
    return sql`(${isOpen(workspaceId)} or
      coalesce(issue.completed_at, issue.updated_at) >= ${at}::timestamptz - make_interval(days => ${days}::int))`
  }
})

export function contributedFilter(filter: IssueFilter, asker: FilterAsker): FilterKey {
  if ('condition' in filter) return flagFilter(filter.condition(asker))
  const { values } = filter
  const issuesWith = (idsOrWords: readonly string[] | undefined) => isIn(filter.issueIds(asker, idsOrWords))
  return {
    types: [...SETS, ...ABSENCE],
    collect(entry, name, references) {
      if (values === 'people') collectNames(accounts, entry, name, references)
    },
    condition(entry, name, resolved) {
      if (isAbsence(entry)) {
        const some = issuesWith(undefined)
        return entry.filterType === 'DEFINED' ? some : not(some)
      }
      const idsOrWords =
        values === 'people' ? idsOf(accounts, names(accounts, entry, name), resolved) : wordsOf(entry, name, values)
      const some = issuesWith(idsOrWords)
      return entry.filterType === 'IS' ? some : not(some)
    }
  }
}
