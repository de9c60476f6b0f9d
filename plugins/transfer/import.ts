import type { Kysely, Transaction } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { readRichText, type RichText } from '../../core/rich-text-field.ts'
import { DESCRIBED_FROM, issueChanged } from '../issues/contract.ts'
import { readEntry, type Entry, type IssueRecord, type RelationRecord, type TeamRecord } from './format.ts'
import type { Ctx } from './index.ts'

/** Lines of one transaction. */
const BATCH = 100
const LABEL_COLOR = '#94a3b8'

export interface Report { issues: number, relations: number, already: number, skipped: Array<{ line: number, reason: string }> }
interface Team { id: Id, states: Map<string, { id: Id, completed: boolean }> }
type Trx = Transaction<Ctx['db'] extends Kysely<infer DB> ? DB : never>

/**
 * Imports lines in batches, each a transaction: an import that is cut off is continued by running it again, because
 * what is there already is passed over. A line that cannot be used is reported and the others go on.
 */
export async function importLines (ctx: Ctx, workspaceId: Id, actorId: Id, lines: AsyncIterable<string>, progress: (report: Report) => void): Promise<Report> {
  const report: Report = { issues: 0, relations: 0, already: 0, skipped: [] }
  const { teams, labels, people } = await known(ctx, workspaceId)
  let batch: Array<{ line: number, entry: Entry }> = []
  let number = 0

  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    try {
      batch.push({ line: number, entry: readEntry(text.replaceAll('\\u0000', '')) })
    } catch (error) {
      report.skipped.push({ line: number, reason: (error as Error).message })
    }
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  return report

  async function flush (): Promise<void> {
    const entries = batch
    batch = []
    await ctx.transaction(async trx => {
      for (const { entry } of entries) if (entry.kind === 'team') await addTeam(trx, entry)
      await addIssues(trx, entries.flatMap(({ line, entry }) => entry.kind === 'issue' ? [{ line, entry }] : []))
      await addRelations(trx, entries.flatMap(({ line, entry }) => entry.kind === 'relation' ? [{ line, entry }] : []))
    })
    progress(report)
  }

  async function addTeam (trx: Trx, { identifier, name, states }: TeamRecord): Promise<void> {
    let team = teams.get(identifier.toUpperCase())
    if (!team) {
      team = { id: newId(), states: new Map() }
      await trx.insertInto('team').values({ workspaceId, id: team.id, identifier: identifier.toUpperCase(), name, createdAt: ctx.now() }).execute()
      teams.set(identifier.toUpperCase(), team)
    }
    for (const [n, { name, category }] of states.entries()) {
      if (team.states.has(name.toLowerCase())) continue
      const id = newId()
      await trx.insertInto('workflowState').values({ workspaceId, id, teamId: team.id, name, category, position: 100 + n, color: LABEL_COLOR, createdAt: ctx.now() }).execute()
      team.states.set(name.toLowerCase(), { id, completed: category === 'COMPLETED' })
    }
  }

  async function addIssues (trx: Trx, given: Array<{ line: number, entry: IssueRecord }>): Promise<void> {
    const there = await idsOf(trx, given.map(({ entry }) => entry.externalId))
    const fresh = given.flatMap(({ line, entry }) => {
      if (there.has(entry.externalId)) { report.already++; return [] }
      try {
        const ready = prepare(entry)
        there.set(entry.externalId, ready.id)
        return [ready]
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof Unusable)) throw error
        report.skipped.push({ line, reason: error.message })
        return []
      }
    })
    if (fresh.length === 0) return
    const numbers = await numbersFor(trx, fresh)
    for (const { entry } of fresh) {
      for (const label of entry.labels ?? []) await addLabel(trx, label)
      for (const name of namesIn(entry)) await addPerson(trx, name)
    }
    await trx.insertInto('issue').values(fresh.map(({ id, entry, team, state, text, createdAt, updatedAt }, n) => ({
      workspaceId,
      id,
      teamId: team.id,
      number: numbers[n]!,
      title: entry.title,
      description: text.json,
      descriptionMarkdown: text.markdown,
      described: text.proseLength >= DESCRIBED_FROM,
      criteriaMet: text.criteria.met,
      criteriaTotal: text.criteria.total,
      stateId: state.id,
      assigneeId: entry.assignee == null ? null : personId(entry.assignee),
      assignedAt: entry.assignee == null ? null : updatedAt,
      priority: entry.priority ?? 0,
      estimate: entry.estimate ?? null,
      dueDate: entry.dueDate ?? null,
      sortOrder: createdAt.getTime(),
      parentId: null,
      createdById: personId(entry.author),
      updatedById: personId(entry.author),
      createdAt,
      updatedAt,
      completedAt: state.completed ? time(entry.completedAt, updatedAt) : null
    }))).execute()
    await trx.insertInto('importedIssue').values(fresh.map(({ id, entry }) => ({ workspaceId, externalId: entry.externalId, issueId: id }))).execute()

    const labelled = fresh.flatMap(({ id, entry }) => [...new Set((entry.labels ?? []).map(name => labels.get(name.toLowerCase())!))].map(labelId => ({ workspaceId, issueId: id, labelId })))
    if (labelled.length > 0) await trx.insertInto('issueLabel').values(labelled).execute()
    const links = fresh.flatMap(({ id, entry, createdAt }) => (entry.links ?? []).map(link => ({ workspaceId, id: newId(), issueId: id, ...link, createdAt })))
    if (links.length > 0) await trx.insertInto('issueLink').values(links).execute()
    const comments = fresh.flatMap(({ id, comments }) => comments.map(({ author, ...comment }) => ({ workspaceId, issueId: id, authorId: personId(author), tokenId: null, ...comment })))
    for (let n = 0; n < comments.length; n += 1000) await trx.insertInto('comment').values(comments.slice(n, n + 1000)).execute()
    await ctx.emit(trx, issueChanged, fresh.map(({ id }) => ({ workspaceId, issueId: id, kind: 'created' as const })))
    report.issues += fresh.length
  }

  /** Everything about an issue that can be wrong. @throws Unusable or ApiError */
  function prepare (entry: IssueRecord) {
    const team = teams.get(entry.team.toUpperCase())
    if (!team) throw new Unusable(`there is no team '${entry.team}': a team's line stands before its issues`)
    const state = team.states.get(entry.state.toLowerCase())
    if (!state) throw new Unusable(`the team ${entry.team} has no state '${entry.state}'`)
    const createdAt = time(entry.createdAt, ctx.now())
    const id = newId()
    const comments = (entry.comments ?? []).flatMap(({ replies = [], ...thread }) => {
      const first = comment(thread, null)
      return first === undefined ? [] : [first, ...replies.flatMap(reply => comment(reply, first.id) ?? [])]
    })
    return { id, entry, team, state, text: rich(entry.descriptionMarkdown ?? ''), createdAt, updatedAt: time(entry.updatedAt, createdAt), comments }

    function comment ({ author, bodyMarkdown, createdAt: at }: { author?: string, bodyMarkdown: string, createdAt?: string }, parentId: Id | null) {
      const { json, markdown } = rich(bodyMarkdown)
      if (json === null) return undefined
      const created = time(at, createdAt)
      return { id: newId(), parentId, author, body: json, bodyMarkdown: markdown, createdAt: created, updatedAt: created }
    }
  }

  /** The numbers of the records where they are free, otherwise the team's next. */
  async function numbersFor (trx: Trx, fresh: Array<{ entry: IssueRecord, team: Team }>): Promise<number[]> {
    const numbers = new Array<number>(fresh.length)
    for (const [team, of] of Map.groupBy(fresh.map((f, n) => ({ ...f, n })), f => f.team)) {
      const counter = await trx.insertInto('issueCounter').values({ workspaceId, teamId: team.id, last: 0 })
        .onConflict(c => c.columns(['workspaceId', 'teamId']).doUpdateSet(eb => ({ last: eb.ref('issueCounter.last') }))).returning('last').executeTakeFirstOrThrow()
      const asked = of.flatMap(({ entry }) => entry.number ?? [])
      const taken = new Set(asked.length === 0 ? [] : (await trx.selectFrom('issue').select('number').where('workspaceId', '=', workspaceId).where('teamId', '=', team.id).where('number', 'in', asked).execute()).map(row => row.number))
      let last = Math.max(counter.last, ...asked)
      for (const { n, entry } of of) {
        numbers[n] = entry.number !== undefined && !taken.has(entry.number) ? entry.number : ++last
        taken.add(numbers[n])
      }
      await trx.updateTable('issueCounter').set({ last }).where('workspaceId', '=', workspaceId).where('teamId', '=', team.id).execute()
    }
    return numbers
  }

  async function addRelations (trx: Trx, given: Array<{ line: number, entry: RelationRecord }>): Promise<void> {
    if (given.length === 0) return
    const ids = await idsOf(trx, given.flatMap(({ entry }) => [entry.issue, entry.relatedIssue]))
    for (const { line, entry } of given) {
      const [issueId, relatedIssueId] = [ids.get(entry.issue), ids.get(entry.relatedIssue)]
      if (issueId === undefined || relatedIssueId === undefined) {
        report.skipped.push({ line, reason: `there is no issue '${issueId === undefined ? entry.issue : entry.relatedIssue}'` })
      } else if (issueId === relatedIssueId) {
        report.skipped.push({ line, reason: 'an issue has no relation to itself' })
      } else if (entry.type === 'PARENT') {
        await trx.updateTable('issue').set({ parentId: relatedIssueId }).where('workspaceId', '=', workspaceId).where('id', '=', issueId).where('parentId', 'is', null).execute()
        report.relations++
      } else {
        const { numInsertedOrUpdatedRows: n } = await trx.insertInto('issueRelation')
          .values({ workspaceId, id: newId(), issueId, relatedIssueId, type: entry.type, createdById: actorId, createdAt: ctx.now() })
          .onConflict(c => c.doNothing()).executeTakeFirstOrThrow()
        if (n) report.relations++
        else report.already++
      }
    }
  }

  /** By their names elsewhere, or their ids here. */
  async function idsOf (trx: Trx, externalIds: string[]): Promise<Map<string, Id>> {
    if (externalIds.length === 0) return new Map()
    const rows = await trx.selectFrom('importedIssue').select(['externalId', 'issueId']).where('workspaceId', '=', workspaceId).where('externalId', 'in', externalIds)
      .union(trx.selectFrom('issue').select(eb => [eb.cast<string>('id', 'text').as('externalId'), 'id as issueId']).where('workspaceId', '=', workspaceId).where(eb => eb.cast<string>('id', 'text'), 'in', externalIds)).execute()
    return new Map(rows.map(row => [row.externalId, row.issueId]))
  }

  async function addLabel (trx: Trx, name: string): Promise<void> {
    if (labels.has(name.toLowerCase())) return
    const id = newId()
    await trx.insertInto('label').values({ workspaceId, id, name, color: LABEL_COLOR, createdAt: ctx.now() }).execute()
    labels.set(name.toLowerCase(), id)
  }

  /** Somebody unknown here becomes a removed account: the name stays with what they wrote, and nobody can sign in as them. */
  async function addPerson (trx: Trx, name: string): Promise<void> {
    if (people.has(name)) return
    const id = newId()
    await trx.insertInto('account').values({ workspaceId, id, kind: 'PERSON', fullname: name, email: null, role: 'MEMBER', scopes: null, createdById: actorId, createdAt: ctx.now(), deletedAt: ctx.now() }).execute()
    people.set(name, id)
  }

  function personId (name: string | undefined): Id { return name === undefined ? actorId : people.get(name)! }
}

class Unusable extends Error {}

const rich = (markdown: string): RichText => readRichText(undefined, markdown.replaceAll('\0', ''), 'description')!
const time = (text: string | undefined, otherwise: Date): Date => text === undefined ? otherwise : new Date(text)

function namesIn ({ author, assignee, comments = [] }: IssueRecord): Set<string> {
  const all = [author, assignee, ...comments.flatMap(c => [c.author, ...(c.replies ?? []).map(reply => reply.author)])]
  return new Set(all.filter(name => name != null))
}

/** Teams with their states, labels and people by their names. */
async function known ({ db }: Ctx, workspaceId: Id) {
  const teams = new Map<string, Team>()
  const [teamRows, states, labelRows, accounts] = [
    await db.selectFrom('team').select(['id', 'identifier']).where('workspaceId', '=', workspaceId).where('deletedAt', 'is', null).execute(),
    await db.selectFrom('workflowState').select(['id', 'teamId', 'name', 'category']).where('workspaceId', '=', workspaceId).where('deletedAt', 'is', null).execute(),
    await db.selectFrom('label').select(['id', 'name']).where('workspaceId', '=', workspaceId).where('deletedAt', 'is', null).execute(),
    await db.selectFrom('account').select(['id', 'fullname']).where('workspaceId', '=', workspaceId).orderBy('deletedAt', sql => sql.desc().nullsLast()).execute()
  ]
  for (const { id, identifier } of teamRows) {
    teams.set(identifier.toUpperCase(), { id, states: new Map(states.filter(s => s.teamId === id).map(s => [s.name.toLowerCase(), { id: s.id, completed: s.category === 'COMPLETED' }])) })
  }
  return { teams, labels: new Map(labelRows.map(l => [l.name.toLowerCase(), l.id])), people: new Map(accounts.map(a => [a.fullname, a.id])) }
}
