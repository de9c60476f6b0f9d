import { ApiProblem, messageOf } from '../../../ui/browser/contract.ts'
import type { FieldChange, Row } from '../contract.ts'
import { keptAbout, sendChange, sendOnce, type Send } from './send.ts'

/** Issues of one request. */
const MAX_AT_ONCE = 100
/** Requests at the same time, where issues are changed one by one. */
const PARALLEL = 4

export interface Refusal {
  row: Row
  error: unknown
}
export class Refused extends Error {
  readonly refusals: readonly Refusal[]
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(({ row, error }) => (refusals.length > 1 ? `${row.key}: ` : '') + messageOf(error)).join(' '))
    this.refusals = refusals
  }
  static throwIfAny(this: void, refusals: readonly Refusal[]): void {
    if (refusals.length > 0) throw new Refused(refusals)
  }
}

interface SentChange {
  row: Row
  change: FieldChange
}

/** @returns the issues for which it was refused */
export async function forEachIssue<T extends { row: Row }>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>
): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  const rest = [...items]
  async function work(): Promise<void> {
    for (let item = rest.shift(); item; item = rest.shift()) {
      const { row } = item
      await act(item).catch((error: unknown) => refusals.push({ row, error }))
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return refusals
}

/** A move to another team is a request of its own. */
async function sendOne({ row, change }: SentChange, send: Send) {
  const { teamId, ...fields } = change
  const path = `/v1/issues/${row.id}`
  if (teamId === undefined) return send(path, { ...fields, rev: row.rev }, keptAbout(row, fields))
  await send(`${path}/move`, { teamId })
  if (Object.keys(fields).length > 0) await send(path, fields)
}

/** The others of the request may be changed, or kept, nevertheless. */
const isOfOneIssue = (error: unknown) =>
  error instanceof ApiProblem && [0, 400, 403, 404, 409, 412, 422].includes(error.status)

/** All with one request, or each with its own where that is refused. */
async function sendSome(changes: readonly SentChange[]): Promise<Refusal[]> {
  const [first] = changes
  const allRefused = (error: unknown) => changes.map(({ row }) => ({ row, error }))
  if (first && changes.length === 1) return sendOne(first, sendChange).then(() => [], allRefused)
  const one = (change: SentChange) => sendOne(change, sendOnce)
  if (changes.some(({ change }) => change.teamId !== undefined)) return forEachIssue(changes, one)
  const issues = changes.map(({ row: { id, rev }, change }) => ({ issueId: id, rev, ...change }))
  return sendChange('/v1/issues/bulk_change', { issues }).then(
    () => [],
    (error: unknown) => (isOfOneIssue(error) ? forEachIssue(changes, one) : allRefused(error))
  )
}

/**
 * Changes any number of issues with few requests. One that is refused keeps no other from being changed; the revisions
 * prevent lost updates.
 * @returns the refused ones
 */
export async function sendChanges(changes: readonly SentChange[]): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (let from = 0; from < changes.length; from += MAX_AT_ONCE) {
    refusals.push(...(await sendSome(changes.slice(from, from + MAX_AT_ONCE))))
  }
  return refusals
}
