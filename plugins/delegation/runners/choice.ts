import type { Caller } from '../../../core/api/contract.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { IssueRef } from '../../issues/contract.ts'
import type { Ctx, Db } from '../context.ts'
import { namesForRunner } from '../queries/runners.ts'
import { notConfigured } from '../readiness.ts'
import { matchingRunners, runnersOf } from './runners.ts'

type Issue = Pick<IssueRef, 'id' | 'key'>

/** The names of the runners that an issue may get, the default first. */
export async function runnersFor(
  { settings }: Ctx,
  { workspaceId }: Caller,
  db: Db,
  issueId: Issue['id'],
  requester: string
): Promise<string[]> {
  return matchingRunners(runnersOf(settings), { ...(await namesForRunner(db, workspaceId, issueId)), requester })
}

/** @param requestedRunner undefined: the first that matches @throws 400 that lists the matching runners, 409 */
export async function runnerFor(
  ctx: Ctx,
  caller: Caller,
  db: Db,
  { issue, requester, requestedRunner }: { issue: Issue; requester: string; requestedRunner?: string | undefined }
): Promise<string> {
  const names = await runnersFor(ctx, caller, db, issue.id, requester)
  const [first] = names
  if (first === undefined) {
    throw notConfigured(
      `No runner is for ${issue.key}: the deployer sets plugins.delegation.runner, or the labels, teams or agents of ` +
        'one of plugins.delegation.runners.'
    )
  }
  if (requestedRunner === undefined) return first
  if (names.includes(requestedRunner)) return requestedRunner
  throw invalid(`${issue.key} may get these runners: ${names.join(', ')}.`, { field: 'runner' })
}
