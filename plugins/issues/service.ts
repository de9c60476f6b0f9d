import type { Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import { invalid } from '../../core/api/errors.ts'
import { singleton } from '../../core/api/plugin.ts'
import { assertScope, readScope, writeScope } from '../../core/api/scopes.ts'
import { unmetCriteria } from './criteria/unmet.ts'
import type { Writer } from './queries/write/writer.ts'
import { lockBestReady } from './queries/read/ready.ts'
import { assertReach } from './routes/confinement.ts'
import type { Ctx, Trx } from './context.ts'
import {
  contextSections,
  issueFields,
  rowSections,
  type Advanced,
  type StateChange,
  type IssuesServices
} from './contract.ts'
import type { StateCategory } from '../workspace/contract.ts'
import { accounts, allFields } from './fields/fields.ts'
import { linkGit } from './write/git-links.ts'
import { not } from './queries/filter/conditions.ts'
import { filterReader } from './queries/filter/filter.ts'
import { lockIssues } from './queries/write/locks.ts'
import { addReference, emptyReferences, lookUp } from './queries/read/lookup.ts'
import { descriptionOf, findIssue, makeReads } from './queries/read/read.ts'
import { readinessOf, reasonsNotReady } from './queries/read/readiness.ts'
import { beforePart, changePartsOf, whyNotCompleted } from './write/participants.ts'
import { addRelation } from './write/relations.ts'
import { pickUpIssue } from './pick-up/pick-up.ts'
import { patchIssue, setStateOf, tickCriteria } from './write/update.ts'
import { makeContexts } from './versions/contexts.ts'

export const allIssueFields = (ctx: Ctx) => allFields(ctx.contributions(issueFields))

export type IssueParts = ReturnType<typeof partsOf>
function partsOf(ctx: Ctx) {
  const fields = allIssueFields(ctx)
  const sections = ctx.contributions(contextSections).map(({ item }) => item)
  const rows = ctx.contributions(rowSections).map(({ item }) => item)
  const reads = makeReads(fields, sections, rows)
  const [readFilters, contexts, readiness] = [filterReader(ctx, fields), makeContexts(ctx, reads), readinessOf(ctx)]
  return { fields, sections, rows, reads, readFilters, contexts, readiness }
}
export const issueParts = singleton('issueParts', partsOf)

export function issueServices(ctx: Ctx): IssuesServices {
  const references = ctx.contributions(issueFields).flatMap(({ item }) => (item.kind === 'reference' ? [item] : []))
  const { fields, readFilters, contexts, readiness } = ctx.get(issueParts)
  const { reasons } = readiness
  const writer = { ctx, fields }
  return {
    keepsHolders: changePartsOf(ctx).keepsHolders,
    find: ({ workspaceId }, db, ref) => findIssue(db, workspaceId, ref),
    accounts: findAccounts,
    lock: (caller, trx, issueIds) => lockFor(ctx, caller, trx, issueIds),
    reasonsNotReady: ({ workspaceId }, db, issueId, asker) =>
      reasonsNotReady(db, workspaceId, issueId, {
        asker,
        at: ctx.use.database.time(),
        reasons
      }),
    async bestReady(caller, trx, { filters, accountId, unless }) {
      const { workspaceId } = caller
      const at = ctx.use.database.time()
      const { conditions } = await readFilters(trx, { workspaceId, accountId }, filters)
      const asker = { accountIds: [accountId] }
      const query = { workspaceId, conditions: [...conditions, not(unless)], asker, at, ...readiness }
      return lockBestReady(trx, query, [])
    },
    advance: advanceWith(writer),
    async linkGit(caller, trx, issueId, link) {
      assertScope(caller, writeScope)
      await linkGit(writer, trx, caller, issueId, link)
    },
    async change(caller, trx, issueId, patch) {
      assertScope(caller, writeScope)
      await patchIssue(writer, trx, caller, issueId, patch)
    },
    assertReach,
    async context(caller, db, ref) {
      assertScope(caller, readScope)
      return (await contexts.read(db, caller.workspaceId, ref)).json
    },
    whyNotCompleted: (caller, trx, issueId) => whyNotCompleted(ctx, caller, trx, issueId),
    async pickUp(caller, issueId, { takeover = false } = {}) {
      assertScope(caller, writeScope)
      await ctx.transaction(trx => pickUpIssue(writer, trx, caller, issueId, takeover))
    },
    async checkFilters(caller, db, readerId, filters) {
      assertScope(caller, readScope)
      await readFilters(db, { workspaceId: caller.workspaceId, accountId: readerId }, filters)
    },
    references: () => references
  }
}

const findAccounts: IssuesServices['accounts'] = async (caller, db, refs, field) => {
  const references = emptyReferences()
  for (const ref of refs) addReference(references, accounts, ref, field)
  const resolved = await lookUp(db, caller, references)
  const matches = refs.map(ref => resolved.named(accounts, ref))
  return [...new Map(matches.map(({ id, name }) => [id, { id, name }])).values()]
}

async function lockFor(ctx: Ctx, caller: Caller, trx: TransactionHandle, issueIds: readonly Id[]): Promise<void> {
  await lockIssues(trx, caller.workspaceId, issueIds)
  const { accountId } = caller
  const [issueId, ...others] = issueIds
  if (accountId === null || issueId === undefined || others.length > 0) return
  await beforePart(ctx, { ...caller, accountId }, trx, issueId, { isChange: false })
}

const advanceWith =
  (writer: Writer): IssuesServices['advance'] =>
  async (caller, issueId, { met, duplicateOf, ...change }, work) => {
    assertScope(caller, writeScope)
    const { ctx } = writer
    const { workspaceId } = caller
    const [issue, original] =
      duplicateOf === undefined
        ? []
        : [await findIssue(ctx.db, workspaceId, issueId), await findIssue(ctx.db, workspaceId, duplicateOf)]
    if (original?.id === issueId) {
      throw invalid(`${original.key} cannot be a duplicate of itself.`, { field: 'duplicateOf' })
    }
    const stateChange = original === undefined ? change : { stateCategory: closing(change), ...change }
    let state: Advanced['state'] | undefined
    let holder: Advanced['holder']
    const before = async (trx: Trx): Promise<void> => {
      // Both at once, in the order of their ids.
      if (original) await lockIssues(trx, workspaceId, [issueId, original.id])
      await work(trx)
    }
    const move = async (trx: Trx): Promise<void> => {
      const { override: _, takeover: __, ...target } = stateChange
      const isMoved = Object.values(target).some(value => value !== undefined)
      if (isMoved) ({ state, holder } = await setStateOf(writer, trx, caller, issueId, stateChange))
      if (issue && original) await addRelation(writer, trx, caller, issue, 'DUPLICATE_OF', original)
    }
    if (met === undefined) {
      await ctx.transaction(async trx => {
        await before(trx)
        await move(trx)
      })
    } else {
      await tickCriteria(
        writer,
        caller,
        issueId,
        { met },
        {
          before,
          async write(trx, details) {
            holder = await patchIssue(writer, trx, caller, issueId, {}, details)
            await move(trx)
            return holder
          }
        }
      )
    }
    const { key, descriptionMarkdown, ...stored } = await descriptionOf(ctx.db, workspaceId, issueId)
    const { unmet } = await unmetCriteria(descriptionMarkdown)
    return { key, state: state ?? stored.state, unmet, holder }
  }

/** The categories of states that close a duplicate, the preferred one first. */
const closing = ({ state, stateId }: StateChange): readonly StateCategory[] =>
  state === undefined && stateId === undefined ? ['CANCELED', 'COMPLETED'] : ['COMPLETED', 'CANCELED']
