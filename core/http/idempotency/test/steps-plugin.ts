import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../../api/contract.ts'
import type { Id } from '../../../api/database/types.ts'
import { definePlugin, dependsOn } from '../../../api/plugin.ts'
import { answers } from '../../../api/schemas.ts'
import { readScope } from '../../../api/scopes.ts'

interface StepsTables {
  step: { workspaceId: Id; id: Id; name: string }
}

/** Awaited by the routes at each point; a test sets it. */
export const hold: { at(point: string): Promise<void> | void } = { at: () => {} }

/** Routes with several transactions, with none, and with a commit that fails. */
export const steps = definePlugin(dependsOn(contract<object, StepsTables>()('steps')), {
  summary: 'Writes in steps',
  tables: { step: 'workspace' },
  migrations: {
    '001_steps': async () => ({
      async up(db) {
        await sql`
          create table step (workspace_id uuid not null, id uuid, name text not null, primary key (workspace_id, id),
            constraint step_name unique (workspace_id, name) deferrable initially deferred)`.execute(db)
      }
    })
  },
  routes(app, { db, transaction }) {
    const add = (workspaceId: Id, name: string) =>
      transaction(async trx => {
        await trx.insertInto('step').values({ workspaceId, id: randomUUID(), name }).execute()
        await hold.at(name)
      })
    const body = Type.Object({ name: Type.String() })
    /** Writes through `db`, which is for reading, in ways that compile. */
    const outside: Record<string, (step: { workspaceId: Id; id: Id; name: string }) => Promise<unknown>> = {
      with: step =>
        db
          .with('added', part => part.insertInto('step').values(step).returning('id'))
          .selectFrom('added')
          .select('id')
          .execute(),
      raw: ({ workspaceId, id, name }) =>
        sql`insert into step (workspace_id, id, name) values (${workspaceId}, ${id}, ${name})`.execute(db)
    }
    const response = answers(200, Type.Object({ id: Type.String(), seen: Type.Optional(Type.Array(Type.String())) }))

    app.post('/v1/steps', { schema: { body, response } }, async ({ principal: { workspaceId }, body: { name } }) => {
      await hold.at(`${name} begin`)
      await add(workspaceId, `${name} 1`)
      const between = await db.selectFrom('step').select('name').where('name', 'like', `${name}%`).execute()
      // A route may handle its own errors.
      await add(workspaceId, `${name} 2`).catch((error: Error) => {
        if (error.message !== 'expected') throw error
      })
      await add(workspaceId, `${name} 3`)
      const after = await db.selectFrom('step').select('name').where('name', 'like', `${name}%`).execute()
      await hold.at(`${name} end`)
      return { id: randomUUID(), seen: [...between, ...after].map(row => row.name).sort() }
    })
    app.post(
      '/v1/steps/outside',
      { schema: { body, response } },
      async ({ principal: { workspaceId }, body: { name } }) => {
        const id = randomUUID()
        await outside[name]!({ workspaceId, id, name })
        return { id }
      }
    )
    app.post('/v1/steps/none', { schema: { body, response } }, async () => ({ id: randomUUID() }))
    app.post('/v1/steps/read', { config: { scope: readScope }, schema: { body, response } }, async () => ({
      id: randomUUID()
    }))
  }
})
