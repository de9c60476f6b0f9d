import { parseArgs } from 'node:util'
import { insertToken } from '../../core/accounts.ts'
import type { Command } from '../../core/points.ts'
import type { Ctx } from './index.ts'

/** `token --email EMAIL`: a new token for a person who lost theirs. Whoever can run it has the database anyway. */
export const tokenCommand = ({ db }: Ctx): Command => ({
  name: 'token',
  summary: 'Make a new token for a person',
  usage: '--email EMAIL',
  database: true,
  async run(args) {
    const { email } = parseArgs({ args, options: { email: { type: 'string' } } }).values
    if (email === undefined) throw new Error('Name the person: token --email admin@localhost')
    const people = await db
      .selectFrom('account')
      .innerJoin('workspace', 'workspace.id', 'account.workspaceId')
      .select(['account.workspaceId', 'account.id', 'account.fullname', 'workspace.name as workspaceName'])
      .where(eb => eb.fn<string>('lower', ['account.email']), '=', email.toLowerCase())
      .where('account.deletedAt', 'is', null)
      .execute()
    if (people.length === 0) throw new Error(`Nobody here has the e-mail address ${email}.`)
    for (const { workspaceId, id, fullname, workspaceName } of people) {
      const { token } = await insertToken(db, workspaceId, { accountId: id, name: 'From the command line' })
      process.stderr.write(`A token for ${fullname} in the workspace ${workspaceName}:\n`)
      process.stdout.write(`${token}\n`)
    }
  }
})
