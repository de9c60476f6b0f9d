import type { Kysely } from 'kysely'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import type { ProjectsTables } from './contract.ts'

type Db = Kysely<CoreTables & ProjectsTables>

const projectColumns = ['id', 'name', 'description', 'descriptionMarkdown', 'teamId', 'createdAt', 'updatedAt'] as const
const cycleColumns = ['id', 'name', 'teamId', 'startsAt', 'endsAt', 'createdAt'] as const

export const listProjects = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('project')
    .select(projectColumns)
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findProject = (db: Db, workspaceId: Id, id: Id) =>
  db
    .selectFrom('project')
    .select(projectColumns)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()

export interface ProjectValues {
  name: string
  description: string | null
  descriptionMarkdown: string
  teamId: Id | null
}

export const insertProject = (db: Db, workspaceId: Id, createdById: Id, at: Date, values: ProjectValues) =>
  db
    .insertInto('project')
    .values({ workspaceId, id: newId(), createdById, createdAt: at, updatedAt: at, ...values })
    .returning(projectColumns)
    .executeTakeFirstOrThrow()

export const updateProject = (db: Db, workspaceId: Id, id: Id, at: Date, values: Partial<ProjectValues>) =>
  db
    .updateTable('project')
    .set({ ...values, updatedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning(projectColumns)
    .executeTakeFirst()

export const removeProject = (db: Db, workspaceId: Id, id: Id, at: Date) =>
  db
    .updateTable('project')
    .set({ deletedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()

export const listCycles = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('cycle')
    .select(cycleColumns)
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()

export const findCycle = (db: Db, workspaceId: Id, id: Id) =>
  db
    .selectFrom('cycle')
    .select(cycleColumns)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()

export const insertCycle = (
  db: Db,
  workspaceId: Id,
  at: Date,
  values: { name: string; teamId: Id; startsAt: Date; endsAt: Date }
) =>
  db
    .insertInto('cycle')
    .values({ workspaceId, id: newId(), createdAt: at, ...values })
    .returning(cycleColumns)
    .executeTakeFirstOrThrow()

export const updateCycle = (db: Db, workspaceId: Id, id: Id, values: { name: string; startsAt: Date; endsAt: Date }) =>
  db
    .updateTable('cycle')
    .set(values)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning(cycleColumns)
    .executeTakeFirst()

export const removeCycle = (db: Db, workspaceId: Id, id: Id, at: Date) =>
  db
    .updateTable('cycle')
    .set({ deletedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
