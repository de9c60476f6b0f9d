import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { ApiError, preconditionFailed } from '../../../core/api/errors.ts'
import type { MergeConflict } from '../../../core/api/text.ts'
import type { Writer } from '../queries/write/writer.ts'
import { changesAfter, unreportedChanges, type LaterChange } from './queries.ts'
import type { Trx } from '../context.ts'

/* Detects lost updates: docs/lost-updates.md. */

const RECENT_MINUTES = 10
const MAX_SHOWN = 500

/** Another account has just changed a field that the request would overwrite; reported once per account. */
export class Overtaken extends ApiError {
  readonly issueId: Id
  readonly rev: number
  constructor(issueId: Id, { key, rev }: { key: string; rev: number }, changes: readonly LaterChange[]) {
    super(
      409,
      'CONFLICT',
      `${listed(key, changes)} Nothing was changed, so that this is not lost. Read the task again, and send the ` +
        `change with rev: ${rev}.`,
      { rev, changes: changes.map(changeJson) }
    )
    this.issueId = issueId
    this.rev = rev
  }
}

const quote = (text: string | null): string =>
  text === null ? 'nothing' : JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
const changeJson = ({ change, by, at, from, to }: LaterChange) => ({
  field: change,
  by,
  at: at.toISOString(),
  from,
  to
})
const listed = (key: string, changes: readonly LaterChange[]): string =>
  changes
    .map(({ change, by, at, from, to }) => {
      const values = from === null && to === null ? '' : `, from ${quote(from)} to ${quote(to)}`
      return `${by} changed the ${change} of ${key} at ${at.toISOString()}${values}.`
    })
    .join(' ')

export interface Basis {
  rev?: number | undefined
  protect?: boolean | undefined
}

/**
 * @param issue locked by the transaction
 * @param fields whose whole value the change replaces, by their names in the history
 * @throws 412 when one of them was changed since the revision, except with the caller's token; Overtaken (409) when
 * another account did so just now
 */
export async function assertNotOvertaken(
  { ctx }: Writer,
  trx: Trx,
  { workspaceId, accountId, tokenId }: Actor,
  issue: { id: Id; key: string; rev: number },
  { fields, rev, protect = false }: Basis & { fields: readonly string[] }
): Promise<void> {
  if (rev !== undefined) {
    assertKnown(issue, rev)
    const others = fields.filter(field => field !== 'description') // which is merged
    if (others.length === 0 || rev === issue.rev) return
    const changes = await changesAfter(trx, workspaceId, issue.id, { fields: others, accountId, tokenId, rev })
    if (changes.length === 0) return
    throw preconditionFailed(
      `${listed(issue.key, changes)} That was after revision ${rev}, and nothing was changed now. Send the change ` +
        `with rev: ${issue.rev} to replace it.`,
      { rev: issue.rev, changes: changes.map(changeJson) }
    )
  }
  if (!protect || fields.length === 0) return
  const since = new Date(ctx.now().getTime() - RECENT_MINUTES * 60_000)
  const changes = await unreportedChanges(trx, workspaceId, issue.id, { fields, accountId, since })
  if (changes.length > 0) throw new Overtaken(issue.id, issue, changes)
}

export function assertKnown({ key, rev }: { key: string; rev: number }, basisRev: number): void {
  if (basisRev <= rev) return
  throw preconditionFailed(`${key} is at revision ${rev}, and ${basisRev} is none of its revisions: read it again.`, {
    rev
  })
}

export function descriptionConflict(
  { key, rev }: { key: string; rev: number },
  basisRev: number,
  conflicts: readonly MergeConflict[]
): ApiError {
  const parts = conflicts
    .slice(0, 3)
    .map(({ base, mine, theirs }) => `It said ${quote(base)}; it says ${quote(theirs)} now; you sent ${quote(mine)}.`)
  return preconditionFailed(
    `The description of ${key} was changed since revision ${basisRev} in the same lines as by you, and nothing was ` +
      `changed now. ${parts.join(' ')} Send one that has both, with rev: ${rev}.`,
    { rev, conflicts: conflicts.slice(0, 20) }
  )
}

export const tooOld = ({ key, rev }: { key: string; rev: number }, basisRev: number): ApiError =>
  preconditionFailed(
    `What ${key} said at revision ${basisRev} is not kept any more, so that your description cannot be merged with ` +
      `what others wrote: read it again, and send yours with rev: ${rev}.`,
    { rev }
  )
