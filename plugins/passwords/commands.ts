import { randomBytes } from 'node:crypto'
import { defineCommand } from '../../core/api/command.ts'
import type { Ctx } from './context.ts'
import { passwordChanged } from './contract.ts'
import { hashPassword } from './hashing.ts'
import { findPeople, saveHash } from './queries/passwords.ts'

/** For a forgotten password. It needs access to the database. */
export const passwordCommand = ({ asServer, db, emit, now, transaction, use }: Ctx) =>
  defineCommand({
    name: 'password',
    summary: 'Give a person a new password, and end their sessions',
    details: 'The new password is printed once; they change it after signing in.',
    options: {
      email: { type: 'string', placeholder: 'EMAIL', required: true, description: 'The e-mail address of the person.' }
    },
    database: 'existing',
    async run({ email }, terminal) {
      const people = await findPeople(db, email)
      if (people.length === 0) throw new Error(`Nobody here has the e-mail address ${email}.`)
      for (const { fullname, workspaceName, ...account } of people) {
        const password = randomBytes(15).toString('base64url')
        const hash = await hashPassword(password)
        await transaction(async trx => {
          await saveHash(trx, account, hash, now())
          const caller = asServer(account.workspaceId)
          await emit(trx, passwordChanged, caller, [{ subjectId: account.accountId, data: { how: 'command' } }])
          await use.sessions.endAll(trx, caller, account.accountId)
        })
        terminal.print(`A password for ${fullname} in the workspace ${workspaceName}:`)
        await terminal.write(`${password}\n`)
      }
    }
  })
