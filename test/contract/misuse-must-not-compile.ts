/*
 * Misuses of the plugin contract. `npm run types` fails if one of them compiles, because the `@ts-expect-error` above
 * it is unused then. Nothing here runs.
 */
import { Type } from 'typebox'
import { contract, job, point, problem, type Caller } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'
import { eventType } from '../../core/events/contract.ts'
import { address, definePlugin, dependsOn, eventLog, singleton, type ContextOf } from '../../core/api/plugin.ts'
import { healthChecks, scopes } from '../../core/api/points.ts'
import { issueCreated, issueFields, issues, issueUpdated, valueField } from '../../plugins/issues/contract.ts'
import { mcp, mcpTools, tool } from '../../plugins/mcp/contract.ts'
import { workspace } from '../../plugins/workspace/contract.ts'

interface NotesServices {
  count(caller: Caller): number
}
interface NotesTables {
  note: { workspaceId: Id; id: Id }
  noteKind: { id: Id }
}
const notes = contract<NotesServices, NotesTables>()('notes')
const summary = 'Notes'
const shown = Type.String()
const noteAdded = eventType(notes, 'note.added', { summary, data: Type.Object({ length: Type.Integer() }) })
const noteShared = eventType(notes, 'note.shared', { summary, audience: 'account', data: Type.Object({}) })
const sortNotes = job<{ noteId: Id }>()(notes, 'sort')
const noteKinds = point<{ name: string }>()(notes, 'kinds')
const dependencies = dependsOn(notes, {
  requires: [workspace, address, eventLog],
  optional: [issues],
  settings: Type.Object({ most: Type.Integer() })
})
type Ctx = ContextOf<typeof dependencies>
// @ts-expect-error -- a service of the core is never off: it is required, or not used
dependsOn(notes, { optional: [address] })
const counter = singleton('counter', (ctx: Ctx) => ({ most: ctx.settings.most }))
const ofAnother = singleton('worker', (ctx: { settings: { runner: string } }) => ({ runner: ctx.settings.runner }))
const tables = { note: 'workspace', noteKind: 'reference' } as const
const services = () => ({ count: () => 1 })
const foreign = job<{ runId: Id }>()(contract()('delegation'), 'take')

// @ts-expect-error -- the name of an event says what happened to what
eventType(notes, 'added', { summary, data: Type.Object({}) })

// @ts-expect-error -- a service takes the caller first
contract<{ count(db: DatabaseHandle): number }>()
// @ts-expect-error -- and so does one that takes nothing else
contract<{ count(): number }>()
// @ts-expect-error -- and so do those of a group
contract<{ index: { put(texts: string[]): void } }>()

export default definePlugin(dependencies, {
  summary,
  tables,
  env: {
    NOTES_MOST: 'most',
    // @ts-expect-error -- a variable sets a setting of the plugin
    NOTES_LEAST: 'least'
  },
  register(ctx) {
    // @ts-expect-error -- there are no services during register
    ctx.use
    // @ts-expect-error -- there is no database during register
    ctx.db
    // @ts-expect-error -- events are emitted by transactions, from `services` on
    ctx.emit
    // @ts-expect-error -- extension points are read from `services` on
    ctx.contributions(noteKinds)
    // @ts-expect-error -- singletons are made from `services` on
    ctx.get(counter)
    // @ts-expect-error -- the item does not fit the point
    ctx.contribute(healthChecks, { check: () => true })
    // @ts-expect-error -- the item does not fit the point, when it is made later, either
    ctx.contributeWith(noteKinds, () => [{ title: 'x' }])
    // @ts-expect-error -- a scope is contributed, not its name
    ctx.contribute(scopes, 'notes')
    // @ts-expect-error -- not a setting
    ctx.settings.least
    // @ts-expect-error -- the plugin has not declared it
    ctx.isOn(mcp)
    // @ts-expect-error -- only the plugin itself does its work
    ctx.work(foreign, {}, async () => {})
    // @ts-expect-error -- only work without a payload is scheduled
    ctx.schedule(sortNotes, '* * * * *')
    ctx.consume('titles', {
      events: [issueCreated, issueUpdated],
      onGap: 'skip',
      async handle([first]) {
        // @ts-expect-error -- only in the data of one of these types
        first?.data.title
        if (first?.type === 'issue.created') first.data.title.trim()
      }
    })
    // @ts-expect-error -- a consumer says what it does about events that are gone
    ctx.consume('noGap', { events: 'all', async handle() {} })
    const input = Type.Object({ text: Type.String() })
    const hints = { readOnly: true, destructive: false, idempotent: true }
    const handle = async () => ({})
    // @ts-expect-error -- a tool needs a scope, not its name
    ctx.contribute(mcpTools, tool({ name: 'x', description: '', scope: 'read', input, hints, handle }))
    // @ts-expect-error -- a filter without values that it takes would refuse all
    ctx.contribute(issueFields, valueField({ key: 'severity', type: 'text', shown, filters: ['severity'] }))
  },
  services(ctx) {
    // @ts-expect-error -- too late: contributions are made in register
    ctx.contribute(healthChecks, async () => ({ ready: true }))
    // @ts-expect-error -- only its owner reads an extension point
    ctx.contributions(issueFields)
    // @ts-expect-error -- not even those of the core
    ctx.contributions(scopes)
    // @ts-expect-error -- an optional plugin may be off
    ctx.use.issues.find
    // @ts-expect-error -- the plugin has not declared it
    ctx.use.mcp
    ctx.use.address.origin()
    // @ts-expect-error -- the plugin has not required this service of the core
    ctx.use.sessions
    ctx.db.selectFrom('team').select('identifier')
    // @ts-expect-error -- the tables of an optional plugin may be missing
    ctx.db.selectFrom('issue')
    // @ts-expect-error -- only transactions write
    ctx.db.insertInto('note')
    // @ts-expect-error -- only transactions write
    ctx.db.updateTable('note')
    // @ts-expect-error -- only transactions write
    ctx.db.deleteFrom('note')
    // @ts-expect-error -- transactions begin with `ctx.transaction`
    ctx.db.transaction()
    // @ts-expect-error -- the singleton of another plugin
    ctx.get(ofAnother)
    return { count: () => ctx.contributions(noteKinds).length + ctx.get(counter).most }
  },
  async routes(app, ctx) {
    // @ts-expect-error -- too late: consumers are declared in register
    ctx.consume('late', { events: [issueUpdated], onGap: 'skip', async handle() {} })
    // @ts-expect-error -- too late: work is declared in register
    ctx.work(sortNotes, {}, async () => {})
    // @ts-expect-error -- too late: hooks are declared in register
    ctx.onStart(async () => {})
    // @ts-expect-error -- too late: schedules are declared in register
    ctx.schedule(sortNotes, '* * * * *')
    // @ts-expect-error -- the caller comes first
    ctx.use.workspace.findTeam(ctx.db, 'ENG')
    // @ts-expect-error -- a route needs a scope, not its name
    app.get('/v1/notes', { config: { scope: 'read' } }, async () => [])
    const caller = ctx.asServer('')
    const added = { subjectId: '', data: { length: 1 } }
    await ctx.transaction(async trx => {
      await ctx.emit(trx, noteAdded, caller, [added])
      // @ts-expect-error -- the data does not fit the event
      await ctx.emit(trx, noteAdded, caller, [{ ...added, data: { size: 1 } }])
      // @ts-expect-error -- an event says by whom it is
      await ctx.emit(trx, noteAdded, [added])
      // @ts-expect-error -- only its owner emits an event
      await ctx.emit(trx, issueUpdated, caller, [{ ...added, data: { changes: [] } }])
      // @ts-expect-error -- nor makes it a part of a statement
      ctx.use.eventLog.emitting(notes, trx, issueUpdated, caller, [{ ...added, data: { changes: [] } }])
      // @ts-expect-error -- an event for one account says for which
      await ctx.emit(trx, noteShared, caller, [{ subjectId: '', data: {} }])
      // @ts-expect-error -- only the plugin itself enqueues its work
      await ctx.enqueue(trx, foreign, [{ runId: '' }])
      // @ts-expect-error -- the payload does not fit the work
      await ctx.enqueue(trx, sortNotes, [{ id: '' }])
    })
  }
})

// @ts-expect-error -- the contract promises services
definePlugin(dependencies, { summary, tables })
// @ts-expect-error -- the contract promises other services
definePlugin(dependencies, { summary, tables, services: () => ({ total: () => 1 }) })
// @ts-expect-error -- every table has a place
definePlugin(dependencies, { summary, services, tables: { note: 'workspace' } })
// @ts-expect-error -- a table without a workspace cannot be placed by it
definePlugin(dependencies, { summary, services, tables: { note: 'workspace', noteKind: 'workspace' } })
// @ts-expect-error -- every plugin says what it does
definePlugin(dependencies, { tables, services })

const notReady = problem<{ reasons: string[] }>(409, 'NOT_READY')
// @ts-expect-error -- the details of this problem are missing
notReady('It is not ready.')
// @ts-expect-error -- the details of this problem are others
notReady('It is not ready.', { reason: 'open' })
