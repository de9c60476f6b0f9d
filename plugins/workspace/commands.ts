import { insertToken } from '../../core/accounts.ts'
import { defineCommand } from '../../core/command.ts'
import type { Ctx } from './context.ts'

/** `token --email EMAIL`: a new token for a person who lost theirs. Whoever can run it has the database anyway. */
export const tokenCommand = ({ db }: Ctx) =>
  defineCommand({
    name: 'token',
    summary: 'Make a new token for a person',
    options: {
      email: { type: 'string', placeholder: 'EMAIL', required: true, description: 'The e-mail address of the person.' }
    },
    database: true,
    async run({ email }) {
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
