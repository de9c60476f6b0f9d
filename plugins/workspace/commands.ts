import { insertToken, tokenCreated } from '../../core/api/accounts.ts'
import { defineCommand, spellControls } from '../../core/api/command.ts'
import { findWorkspace, newId } from '../../core/api/database/queries.ts'
import { addWorkspace } from './bootstrap.ts'
import type { Ctx } from './context.ts'
import { countAccounts, findPeopleAnywhere } from './queries/workspaces.ts'
import { removeWorkspace } from './removal.ts'

/** Whoever can run it has the database anyway. */
export const tokenCommand = ({ asServer, db, emit, transaction }: Ctx) =>
  defineCommand({
    name: 'token',
    summary: 'Create a new token for a person',
    options: {
      email: { type: 'string', placeholder: 'EMAIL', required: true, description: 'The e-mail address of the person.' }
    },
    database: 'existing',
    async run({ email }, terminal) {
      const people = await findPeopleAnywhere(db, email)
      if (people.length === 0) throw new Error(`Nobody here has the e-mail address ${email}.`)
      for (const { workspaceId, id, fullname, workspaceName } of people) {
        const name = 'From the command line'
        const token = await transaction(async trx => {
          const newToken = await insertToken(trx, workspaceId, { accountId: id, name })
          await emit(trx, tokenCreated, asServer(workspaceId), [
            { subjectId: newToken.id, accountId: id, data: { name } }
          ])
          return newToken.token
        })
        terminal.print(`A token for ${fullname} in the workspace ${workspaceName}:`)
        await terminal.write(`${token}\n`)
      }
    }
  })

/** For teams of people who must not see each other. */
export const workspaceCommands = (ctx: Ctx) => [listCommand(ctx), addCommand(ctx), removeCommand(ctx)]

const listCommand = ({ db }: Ctx) =>
  defineCommand({
    name: 'workspaces list',
    summary: 'List the workspaces: id, people, agents, name, tab-separated',
    database: 'existing',
    async run(_, terminal) {
      for (const { id, people, agents, name } of await countAccounts(db)) {
        await terminal.write(`${id}\t${people}\t${agents}\t${spellControls(name)}\n`)
      }
    }
  })

const addCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'workspaces add',
    summary: 'Create a workspace and print its administrator’s token, once',
    arguments: { name: { description: 'Its name, which no other workspace may have.' } },
    options: {
      email: {
        type: 'string',
        placeholder: 'EMAIL',
        default: 'admin@localhost',
        description: 'The e-mail address of its administrator.'
      }
    },
    database: true,
    async run({ name, email }, terminal) {
      const { token } = await ctx.transaction(trx =>
        addWorkspace(ctx, ctx.asServer(newId()), trx, { name, adminEmail: email })
      )
      terminal.print(`The workspace ${name} has the administrator ${email}, with this token:`)
      await terminal.write(`${token}\n`)
    }
  })

const removeCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'workspaces remove',
    summary: 'Remove a workspace and everything in it, for good',
    details: 'Its tokens stop working first; then its rows go in batches. An interrupted run is continued by the next.',
    arguments: { workspace: { description: 'Its name or id.' } },
    options: { yes: { type: 'boolean', description: 'Do it; without this option nothing is removed.' } },
    database: 'existing',
    async run({ workspace, yes }, terminal) {
      const { id, name } = await findWorkspace(ctx.db, workspace)
      if (!yes) {
        throw new Error(
          `Everything in the workspace ${name} (${id}) would be lost: back it up with ` +
            `"npm run tracker -- export --workspace '${name}'", and send --yes.`
        )
      }
      await removeWorkspace(ctx, ctx.asServer(id), (rows, table) =>
        terminal.progress(`${rows} rows removed (${table})`)
      )
      terminal.print(`The workspace ${name} is removed.`)
    }
  })
