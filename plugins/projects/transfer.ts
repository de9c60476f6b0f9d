import { Type } from 'typebox'
import { RawRichText, readStoredRichText } from '../../core/api/text.ts'
import { Day } from '../../core/api/schemas.ts'
import {
  ExternalId,
  Person,
  recordKind,
  TeamName,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type RecordOf
} from '../transfer/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { projectCreated } from './contract.ts'
import { addProject, exportedProjects, findProjectNamed } from './queries/transfer.ts'
import { NewProject } from './schemas.ts'

const projectFields = {
  externalId: ExternalId,
  name: NewProject.properties.name,
  descriptionMarkdown: Type.Optional(Type.String()),
  description: Type.Optional(RawRichText),
  team: Type.Optional(TeamName),
  state: NewProject.properties.state,
  lead: Type.Optional(Person),
  members: Type.Optional(Type.Array(Person, { maxItems: 100 })),
  startsOn: Type.Optional(Day),
  targetOn: Type.Optional(Day),
  createdBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When)
}

export const projectRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'project',
    summary: 'A project with the same name as an existing one is matched with it.',
    table: 'project',
    before: ['issue'],
    fields: projectFields,
    rows: exportedProjects,
    add: batch => addProjects(ctx, batch)
  })

async function addProjects(ctx: Ctx, batch: Batch<RecordOf<typeof projectFields>>): Promise<void> {
  const { trx, caller, workspaceId, now, items, people, skip, isThere, noteCut } = batch
  const db: Trx = trx
  const teams = await ctx.use.workspace.teamIds(caller, trx)
  for (const item of items) {
    const { name, description, descriptionMarkdown = '', team, createdAt, updatedAt } = item.record
    const { createdBy = UNKNOWN_PERSON } = item.record
    const same = await findProjectNamed(db, workspaceId, name)
    if (same) {
      isThere(item, same.id)
      continue
    }
    const teamId = team === undefined ? null : teams.get(team.toUpperCase())
    if (teamId === undefined) {
      skip(item, `there is no team '${team}'`)
      continue
    }
    const text = await readStoredRichText(description, descriptionMarkdown)
    if (typeof text === 'string') {
      skip(item, text)
      continue
    }
    noteCut(item, text.cutCharacters)
    const created = new Date(createdAt ?? now)
    const { state, lead, members = [], startsOn = null, targetOn = null } = item.record
    const accounts = await people([createdBy, lead, ...members])
    await addProject(db, workspaceId, {
      id: item.id,
      name,
      description: text.json,
      descriptionMarkdown: text.markdown,
      teamId,
      ...(state && { state }),
      leadId: lead === undefined ? null : accounts.get(lead)!,
      memberIds: members.map(name => accounts.get(name)!).toSorted(),
      startsOn,
      targetOn,
      createdById: accounts.get(createdBy)!,
      createdAt: created,
      updatedAt: new Date(updatedAt ?? created)
    })
    await ctx.emit(trx, projectCreated, caller, [{ subjectId: item.id, data: { name, teamId } }])
  }
}
