import { UNKNOWN_PERSON } from '../../transfer/contract.ts'
import type { SourceInput } from '../contract.ts'
import { oneLine } from '../markdown.ts'
import { valueFor } from './values.ts'

/* Names of states, resolutions and priorities. Only whole words count: `Unresolved` is not resolved. */

export interface State {
  name: string
  category: string
}
type Words = Pick<SourceInput, 'map' | 'leaveOut'>

const NEGATIONS = /^(?:not|never|no|non|cannot|without|isnt|arent|wasnt|hasnt|havent|cant|couldnt|dont|doesnt|didnt)$/

type CategoryWords = ReadonlyArray<readonly [category: string, phrases: string]>
/** The first entry that matches decides. These phrases have a negation, or are one. */
const NEGATED: CategoryWords = [
  [
    'CANCELED',
    `wont, wontfix, will not, not planned, not doing, not fixing, not needed, not required, no longer needed,
    not a bug, not bug, not our bug, not an issue, not a defect, not applicable, not relevant, not reproducible,
    non reproducible, cannot reproduce, cant reproduce, couldnt reproduce, no fix, no change, no change required,
    dont fix, cant fix, cannot fix, out of scope, works as designed, as designed, by design, as intended`
  ],
  [
    'UNSTARTED',
    `not started, not yet started, not begun, not done, not yet done, not complete, not completed, not finished,
    not fixed, not resolved, not closed, to be, unresolved, undone, unstarted, unfinished, incomplete, uncompleted,
    unfixed, unassigned, unscheduled`
  ],
  ['TRIAGE', 'untriaged, unconfirmed']
]
/** For names without a negation. */
const PLAIN: CategoryWords = [
  [
    'CANCELED',
    `cancel, canceled, cancelled, canceling, cancelling, duplicate, duplicated, dup, dupe, duplicates, reject,
    rejected, decline, declined, abandoned, invalid, obsolete, discarded, dropped, withdrawn, superseded, archived,
    unreproducible, deleted`
  ],
  ['UNSTARTED', 'reopened, reopen'],
  ['STARTED', 'being, almost, nearly, partially, partly, half, mostly'],
  [
    'COMPLETED',
    `done, complete, completed, closed, resolved, fixed, released, merged, shipped, solved, finished, implemented,
    deployed, verified, published, launched`
  ],
  ['TRIAGE', 'triage, inbox, intake'],
  ['BACKLOG', 'backlog, later, icebox, someday, deferred, postponed, wishlist'],
  [
    'STARTED',
    `progress, doing, started, review, reviewing, testing, test, qa, development, developing, active, wip, ongoing,
    working, coding, implementing, fixing, verifying, inprogress`
  ],
  [
    'UNSTARTED',
    `todo, to do, open, opened, new, ready, blocked, hold, waiting, pending, paused, planned, scheduled, selected,
    triaged, confirmed, assigned, proposed`
  ]
]

/** In lowercase between spaces; apostrophes join letters. */
function wordsOf(name: string): string {
  const words = name
    .normalize('NFKC')
    .replaceAll(/['\u2018\u2019\u201b\u02bc\u2032\u0060\u00b4]/g, '')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return ` ${(words ?? []).join(' ')} `
}

function categoryAmong(entries: CategoryWords, words: string): string | undefined {
  const hasOne = (phrases: string) => phrases.split(/,\s*/).some(phrase => words.includes(` ${phrase} `))
  return entries.find(([, phrases]) => hasOne(phrases))?.[0]
}

/** Undefined if unknown. */
export function categoryOf(name: string): string | undefined {
  const words = wordsOf(name)
  const negated = categoryAmong(NEGATED, words)
  if (negated !== undefined) return negated
  return words.split(' ').some(word => NEGATIONS.test(word)) ? undefined : categoryAmong(PLAIN, words)
}

/** If neither its name nor `otherwise` gives a category, it counts as not started, and is reported. */
export function stateNamed(text: string, where: string, { map, leaveOut }: Words, otherwise?: string): State {
  const name = oneLine(text, 100)
  const category = categoryOf(name) ?? otherwise
  if (category !== undefined) return { name, category }
  if (valueFor(map.states, name) === undefined) {
    const reason = 'its words are not known, so it counts as UNSTARTED: name it in `states` of the map'
    leaveOut(`category of the state '${name}'`, reason, where)
  }
  return { name, category: 'UNSTARTED' }
}

interface HistoryEntry {
  at: string
  actor: string
  change: string
  from: string | null
  to: string | null
}
/** Between a change of state and the closing that it is. */
const SAME_TIME_MS = 60_000

/**
 * The import format has a field for the time of completion; a cancellation is an entry of the history, unless the
 * source's own history has it.
 */
export function closing(
  { name, category }: State,
  closedAt: string | undefined,
  history: readonly HistoryEntry[] = []
): { completedAt?: string | undefined; history?: readonly HistoryEntry[] | undefined } {
  const own = history.length === 0 ? undefined : history
  if (category === 'COMPLETED') return { completedAt: closedAt, history: own }
  if (category !== 'CANCELED' || closedAt === undefined) return { history: own }
  const isThere = history.some(
    ({ change, at }) => change === 'state' && Math.abs(Date.parse(at) - Date.parse(closedAt)) <= SAME_TIME_MS
  )
  const entry = { at: closedAt, actor: UNKNOWN_PERSON, change: 'state', from: null, to: name }
  return { history: isThere ? own : [...history, entry] }
}

/** Resolutions that mean "not done", beside those of states. */
const UNDONE = /^ (?:.* )?(?:incomplete|more info|hold|later|deferred|postponed|user error|timed out)(?: .*)? $/

/** Unknown words count as done, and are reported. */
export function isDone(resolution: string, where: string, { leaveOut }: Words): boolean {
  if (UNDONE.test(wordsOf(resolution))) return false
  const category = categoryOf(resolution)
  if (category === undefined) {
    const reason = 'its words are not known, so its issues count as completed'
    leaveOut(`meaning of the resolution '${oneLine(resolution, 100)}'`, reason, where)
  }
  return category !== 'CANCELED'
}

const PRIORITIES: Record<string, number> = {
  none: 0,
  'no priority': 0,
  blocker: 1,
  critical: 1,
  highest: 1,
  urgent: 1,
  major: 2,
  high: 2,
  medium: 3,
  normal: 3,
  minor: 4,
  low: 4,
  lowest: 4,
  trivial: 4
}

/** An unknown one is none, and is reported. */
export function priorityNamed(text: string, where: string, { map, leaveOut }: Words): number {
  const name = text.trim()
  const priority = valueFor(map.priorities, name) ?? valueFor(PRIORITIES, name.toLowerCase())
  if (priority === undefined) {
    leaveOut(`priority '${oneLine(name, 100)}'`, 'it is not known: name it in `priorities` of the map', where)
  }
  return priority ?? 0
}
