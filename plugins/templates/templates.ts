import type { Static } from 'typebox'
import type { Caller, Principal } from '../../core/api/contract.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { assertUnchanged, conflict, notFound } from '../../core/api/errors.ts'
import { updatedEvents } from '../../core/api/events.ts'
import { conversions, nameOfSomething } from '../../core/api/text.ts'
import type { Ctx, Db, Trx } from './context.ts'
import { templateCreated, templateUpdated } from './contract.ts'
import * as queries from './queries/templates.ts'
import type { NewTemplate, TemplateChanges } from './schemas.ts'

const MAX_OF_TEAM = 100

const SHORT_FIELDS = ['name', 'title', 'priority'] as const
/** Events have only the names of these fields. */
const LONG_FIELDS = ['descriptionMarkdown', 'labelIds', 'criteria'] as const

/** @throws 404 */
export async function readTemplate({ db }: Ctx, { workspaceId }: Principal, id: Id) {
  const [template] = await queries.readTemplates(db, workspaceId, [id])
  if (!template) throw notFound('issue template', id)
  return template
}

const NO_VALUES = { title: null, descriptionMarkdown: '', labelIds: [], criteria: [], priority: 0 }

/** @returns its id. @throws 404; 409 when the team has a template with that name, or too many; 413 */
export async function addTemplate(ctx: Ctx, principal: Principal, body: Static<typeof NewTemplate>): Promise<Id> {
  const { workspaceId, accountId } = principal
  const { teamId: ref, ...fields } = body
  nameOfSomething(body.name, 'name')
  await assertStorable(fields)
  const at = ctx.now()
  const own = { workspaceId, id: newId(), createdById: accountId, createdAt: at, updatedAt: at }
  const row = { ...NO_VALUES, ...fields, ...own }
  await ctx.transaction(async trx => {
    const { id: teamId } = await ctx.use.workspace.findTeam(principal, trx, ref)
    await assertRoom(ctx, trx, principal, teamId)
    await assertFits(trx, workspaceId, teamId, fields)
    await storeTemplate(ctx, trx, principal, { ...row, teamId })
    await describe(ctx, trx, principal, row.id, fields)
  })
  return row.id
}

export async function storeTemplate(ctx: Ctx, trx: Trx, caller: Caller, row: queries.NewRow): Promise<void> {
  const { id: subjectId, name, teamId } = row
  await queries.insertTemplate(trx, row)
  await ctx.emit(trx, templateCreated, caller, [{ subjectId, data: { name, teamId } }])
}

/** @throws 404, also when its team was removed; 409, 413 as `addTemplate`; 412 when it is not as `previous` says */
export async function changeTemplate(
  ctx: Ctx,
  principal: Principal,
  id: Id,
  { previous, ...changes }: Static<typeof TemplateChanges>
): Promise<void> {
  const { workspaceId } = principal
  nameOfSomething(changes.name, 'name')
  await assertStorable(changes)
  await ctx.transaction(async trx => {
    const before = await queries.lockTemplate(trx, workspaceId, id)
    if (!before) throw notFound('issue template', id)
    await ctx.use.workspace.findTeam(principal, trx, before.teamId)
    assertUnchanged(previous, before)
    await assertFits(trx, workspaceId, before.teamId, changes, id)
    const after = await queries.updateTemplate(trx, workspaceId, id, { ...changes, updatedAt: ctx.now() })
    await describe(ctx, trx, principal, id, changes)
    const events = updatedEvents(before, after!, SHORT_FIELDS, LONG_FIELDS)
    await ctx.emit(trx, templateUpdated, principal, events)
  })
}

/** @throws 413 for a text that is too long for an issue */
export async function assertStorable({ descriptionMarkdown: markdown }: { descriptionMarkdown?: string }) {
  if (markdown) await conversions.read([{ markdown, field: 'descriptionMarkdown' }])
}

/**
 * Locks the team, so that no other template is added meanwhile.
 * @throws 404 when the team was removed; 409 when it cannot have another template
 */
export async function assertRoom(ctx: Ctx, trx: Trx, caller: Caller, teamId: Id): Promise<void> {
  await ctx.use.workspace.lockTeam(caller, trx, teamId)
  if ((await queries.countTemplates(trx, caller.workspaceId, teamId)) < MAX_OF_TEAM) return
  throw conflict(`The team has ${MAX_OF_TEAM} templates, which is the most: change one of them, or remove one first.`)
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

async function describe(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  subjectId: Id,
  { descriptionMarkdown: markdown }: { descriptionMarkdown?: string }
): Promise<void> {
  if (!markdown) return
  await ctx.use.texts.written(caller, trx, [{ subjectType: 'issue_template', subjectId, markdown }])
}
