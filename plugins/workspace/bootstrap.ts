import { sql } from 'kysely'
import { insertToken } from '../../core/accounts.ts'
import { newId } from '../../core/id.ts'
import { newToken } from '../../core/tokens.ts'
import type { Ctx } from './index.ts'
import { insertPerson } from './queries/accounts.ts'
import { insertLabel, insertTeam } from './queries/teams.ts'

const FIRST_LABELS = [
  { name: 'Bug', color: '#ef4444' },
  { name: 'Feature', color: '#8b5cf6' },
  { name: 'Docs', color: '#0ea5e9' }
]

/**
 * Gives an empty database a workspace, an administrator, a team and labels; any other it leaves alone.
 * @returns the administrator's token when it was made here, to be shown once
 */
export async function bootstrap({ config, transaction }: Ctx): Promise<string | undefined> {
  return transaction(async trx => {
    // Replicas that start together on an empty database: one makes the workspace, the others find it.
    await sql`select pg_advisory_xact_lock(hashtext('tracker.bootstrap'))`.execute(trx)
    if (await trx.selectFrom('workspace').select('id').executeTakeFirst()) return undefined

    const workspaceId = newId()
    await trx.insertInto('workspace').values({ id: workspaceId, name: config.name }).execute()
    const admin = await insertPerson(trx, workspaceId, {
      email: config.adminEmail,
      fullname: 'Administrator',
      role: 'ADMIN',
      createdById: null
    })
    const token = config.adminToken ?? newToken()
    await insertToken(trx, workspaceId, { accountId: admin.id, name: 'First token', token })
    await insertTeam(trx, workspaceId, { identifier: 'ENG', name: 'Engineering' })
    for (const label of FIRST_LABELS) await insertLabel(trx, workspaceId, label)
    return config.adminToken === undefined ? token : undefined
  })
}

/** What a stranger reads after the first start. */
export const welcome = (origin: string, token: string): string => `
  tracker is ready. This is the administrator's token; it is shown only now:

    export TRACKER_URL=${origin} TRACKER_TOKEN=${token}

  Two things to try:

    curl -s $TRACKER_URL/v1/users/me -H "Authorization: Bearer $TRACKER_TOKEN"
    curl -s $TRACKER_URL/v1/issues -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json' \\
      -d '{"teamId": "ENG", "title": "My first issue", "descriptionMarkdown": "- [ ] it can be ticked"}'

`
