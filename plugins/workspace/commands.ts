import { insertToken } from '../../core/accounts.ts'
import { defineCommand } from '../../core/command.ts'
import { tokenCreated } from '../../core/events/account-events.ts'
import type { Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { addWorkspace } from './bootstrap.ts'
import type { Ctx } from './context.ts'
import { removeWorkspace } from './removal.ts'

/** `token --email EMAIL`: a new token for a person who lost theirs. Whoever can run it has the database anyway. */
export const tokenCommand = ({ asServer, db, emit, transaction }: Ctx) =>
  defineCommand({
    name: 'token',
    summary: 'Create a new token for a person',
    options: {
      email: { type: 'string', placeholder: 'EMAIL', required: true, description: 'The e-mail address of the person.' }
    },
    database: 'existing',
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
        const name = 'From the command line'
        const token = await transaction(async trx => {
          const made = await insertToken(trx, workspaceId, { accountId: id, name })
          await emit(trx, tokenCreated, asServer(workspaceId), [{ subjectId: made.id, accountId: id, data: { name } }])
          return made.token
        })
        process.stderr.write(`A token for ${fullname} in the workspace ${workspaceName}:\n`)
        process.stdout.write(`${token}\n`)
      }
    }
  })

/** `workspaces list | add | remove`: several teams of people who must not see each other share a deployment. */
export const workspaceCommands = (ctx: Ctx) => [listCommand(ctx), addCommand(ctx), removeCommand(ctx)]

const listCommand = ({ db }: Ctx) =>
  defineCommand({
    name: 'workspaces list',
    summary: 'List the workspaces: id, people, agents, name, tab-separated',
    database: 'existing',
    async run() {
      const rows = await db
        .selectFrom('workspace')
        .leftJoin('account', join =>
          join.onRef('account.workspaceId', '=', 'workspace.id').on('account.deletedAt', 'is', null)
        )
        .select(({ fn }) => [
          'workspace.id',
          'workspace.name',
          fn.count<number>('account.id').filterWhere('account.kind', '=', 'PERSON').as('people'),
          fn.count<number>('account.id').filterWhere('account.kind', '=', 'AGENT').as('agents')
        ])
        .groupBy(['workspace.id', 'workspace.name', 'workspace.createdAt'])
        .orderBy('workspace.createdAt')
        .orderBy('workspace.id')
        .execute()
      for (const { id, people, agents, name } of rows) {
        process.stdout.write(`${id}\t${people}\t${agents}\t${name}\n`)
      }
    }
  })

const MAX_NAME_CHARACTERS = 100

const addCommand = ({ transaction }: Ctx) =>
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
    async run({ name, email }) {
      if (name.trim() !== name || name === '' || name.length > MAX_NAME_CHARACTERS) {
        throw new Error(`A name has 1 to ${MAX_NAME_CHARACTERS} characters, none of them a space at its ends.`)
      }
      const { token } = await transaction(trx => addWorkspace(trx, newId(), { name, adminEmail: email }))
      process.stderr.write(`The workspace ${name} has the administrator ${email}, with this token:\n`)
      process.stdout.write(`${token}\n`)
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
    async run({ workspace, yes }) {
      const { id, name } = await findWorkspace(ctx, workspace)
      if (!yes) {
        throw new Error(
          `Everything in the workspace ${name} (${id}) would be lost: back it up with ` +
            `"npm run tracker -- export --workspace '${name}'", and send --yes.`
        )
      }
      await removeWorkspace(ctx, id, (rows, table) => process.stderr.write(`\r${rows} rows removed (${table})\x1b[K`))
      process.stderr.write(`\nThe workspace ${name} is removed.\n`)
    }
  })

/** @throws Error that lists the workspaces, unless exactly one has this name or id */
async function findWorkspace({ db }: Ctx, ref: string): Promise<{ id: Id; name: string }> {
  const all = await db.selectFrom('workspace').select(['id', 'name']).orderBy('createdAt').execute()
  const [match, other] = all.filter(({ id, name }) => name === ref || id === ref.toLowerCase())
  if (match && !other) return match
  throw new Error(
    `${other ? 'Several workspaces have that name: name one by its id' : `There is no workspace '${ref}'`}; ` +
      `there are: ${all.map(({ id, name }) => `${name} (${id})`).join(', ')}.`
  )
}
