import type { Static } from 'typebox'
import type { Caller, Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { assertUnchanged, conflict, notFound } from '../../core/api/errors.ts'
import { updatedEvents } from '../../core/api/events.ts'
import { nameOfSomething } from '../../core/api/text.ts'
import type { Ctx, Db, Trx } from './context.ts'
import { templateCreated, templateUpdated } from './contract.ts'
import * as queries from './queries/templates.ts'
import type { NewTemplate, TemplateChanges } from './schemas.ts'

/** As the routes answer it. */
export const templateJson = ({ identifier: _, teamName: __, createdAt, updatedAt, ...rest }: queries.TemplateRow) => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

/** @throws 404 */
export async function readTemplate({ db }: Ctx, { workspaceId }: Principal, id: Id) {
  const [template] = await queries.listTemplates(db, workspaceId, { id })
  if (!template) throw notFound('issue template', id)
  return templateJson(template)
}

const NO_VALUES = { title: null, descriptionMarkdown: '', labelIds: [], criteria: [], priority: 0 }

/** @returns its id. @throws 404; 409 when the team has a template with that name */
export async function addTemplate(ctx: Ctx, principal: Principal, body: Static<typeof NewTemplate>): Promise<Id> {
  const { workspaceId, accountId } = principal
  const { teamId: ref, ...given } = body
  const { id: teamId } = await ctx.use.workspace.findTeam(principal, ctx.db, ref)
  const name = nameOfSomething(body.name, 'name')
  const at = ctx.now()
  return ctx.transaction(async trx => {
    await assertFits(trx, workspaceId, teamId, given)
    const values = { ...NO_VALUES, ...given, name, teamId, createdById: accountId, createdAt: at, updatedAt: at }
    const { id } = await queries.insertTemplate(trx, workspaceId, values)
    await described(ctx, trx, principal, id, given)
    await ctx.emit(trx, templateCreated, principal, [{ subjectId: id, data: { name, teamId } }])
    return id
  })
}

/** @throws 404; 409 as `addTemplate`; 412 when another writer has changed it since it was read */
export async function changeTemplate(
  ctx: Ctx,
  principal: Principal,
  id: Id,
  { previous, ...changes }: Static<typeof TemplateChanges>
): Promise<void> {
  const { workspaceId } = principal
  nameOfSomething(changes.name, 'name')
  await ctx.transaction(async trx => {
    const before = await queries.lockTemplate(trx, workspaceId, id)
    if (!before) throw notFound('issue template', id)
    assertUnchanged(previous, before)
    await assertFits(trx, workspaceId, before.teamId, changes, id)
    const after = await queries.updateTemplate(trx, workspaceId, id, { ...changes, updatedAt: ctx.now() })
    await described(ctx, trx, principal, id, changes)
    const fields = ['name', 'title', 'labelIds', 'criteria', 'priority'] as const
    await ctx.emit(trx, templateUpdated, principal, updatedEvents(before, after!, [...fields], ['descriptionMarkdown']))
  })
}

/** @throws 404 for a label that is not there; 409 for a name that another template of the team has */
async function assertFits(
  db: Db,
  workspaceId: Id,
  teamId: Id,
  { name, labelIds = [] }: { name?: string; labelIds?: readonly Id[] },
  ownId?: Id
): Promise<void> {
  if (labelIds.length > 0) {
    const present = new Set((await queries.labelsWithIds(db, workspaceId, labelIds)).map(({ id }) => id))
    const missing = labelIds.find(id => !present.has(id.toLowerCase()))
    if (missing !== undefined) throw notFound('label', missing)
  }
  if (name === undefined) return
  const same = await queries.templateNamed(db, workspaceId, teamId, name)
  if (same && same.id !== ownId) throw nameTaken(name)
}
export const nameTaken = (name: string) =>
  conflict(`The team has a template called '${name}': choose another name, or change that one.`)

/** Tells other plugins about a text that was stored. */
async function described(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  subjectId: Id,
  { descriptionMarkdown: markdown }: { descriptionMarkdown?: string }
): Promise<void> {
  if (!markdown) return
  await ctx.textsWritten(trx, caller, [{ subjectType: 'issue_template', subjectId, markdown }])
}
