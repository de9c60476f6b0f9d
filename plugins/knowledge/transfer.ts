import { Type } from 'typebox'
import type { Id } from '../../core/api/database/types.ts'
import { Nullable } from '../../core/api/schemas.ts'
import {
  ExternalId,
  Person,
  recordKind,
  TeamName,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type Item,
  type RecordOf
} from '../transfer/contract.ts'
import { knowledgeCreated } from './contract.ts'
import type { Ctx } from './context.ts'
import { addEntry, exportedEntries } from './queries/transfer.ts'
import { NewEntry } from './schemas.ts'

const fields = {
  externalId: ExternalId,
  type: NewEntry.properties.kind,
  content: NewEntry.properties.content,
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
  team: Type.Optional(TeamName),
  project: Type.Optional(ExternalId),
  issue: Type.Optional(ExternalId),
  supersedes: Type.Optional(Type.String({ ...ExternalId, description: 'An entry that stands before it.' })),
  status: Type.Optional(Type.Enum(['ACTIVE', 'SUPERSEDED', 'DISPUTED'])),
  createdBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  expiresAt: Type.Optional(Nullable(When))
}
type ImportedEntry = RecordOf<typeof fields>

export const knowledgeRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'knowledge',
    summary: 'An entry of the knowledge bank: one fact.',
    table: 'knowledge_entry',
    before: ['file'],
    fields,
    rows: exportedEntries,
    add: batch => addEntries(ctx, batch)
  })

async function addEntries(ctx: Ctx, batch: Batch<ImportedEntry>): Promise<void> {
  const { trx, caller, items, skip } = batch
  const referred = await findReferred(ctx, batch)
  for (const item of supersededFirst(items)) {
    const row = readEntry(item, referred, batch)
    if (typeof row === 'string') {
      skip(item, row)
      continue
    }
    await addEntry(trx, row)
    referred.notAdded.delete(item.id)
    const { id, kind, supersedesId } = row
    await ctx.emit(trx, knowledgeCreated, caller, [{ subjectId: id, data: { kind, supersedesId } }])
  }
}

/** The entries of a batch, each after the one that it supersedes: exports of 0.1 order them by time. */
function supersededFirst(items: ReadonlyArray<Item<ImportedEntry>>): Set<Item<ImportedEntry>> {
  const byName = new Map(items.map(item => [item.record.externalId, item]))
  const ordered = new Set<Item<ImportedEntry>>()
  for (const item of items) {
    const chain = new Set<Item<ImportedEntry>>()
    let next: Item<ImportedEntry> | undefined = item
    while (next !== undefined && !chain.has(next) && !ordered.has(next)) {
      chain.add(next)
      next = byName.get(next.record.supersedes ?? '')
    }
    for (const each of [...chain].reverse()) ordered.add(each)
  }
  return ordered
}

const REFERENCES = ['project', 'issue', 'supersedes'] as const

interface Referred {
  ids: Record<(typeof REFERENCES)[number], ReadonlyMap<string, Id>>
  teams: ReadonlyMap<string, Id>
  accounts: ReadonlyMap<string, Id>
  /** Entries of the batch that are skipped, or not added yet. */
  notAdded: Set<Id>
}

async function findReferred(ctx: Ctx, batch: Batch<ImportedEntry>): Promise<Referred> {
  const { trx, caller, items, find, people } = batch
  const named = (kind: string, field: (typeof REFERENCES)[number]) =>
    find(
      kind,
      items.map(({ record }) => record[field])
    )
  const ids = {
    project: await named('project', 'project'),
    issue: await named('issue', 'issue'),
    supersedes: await named('knowledge', 'supersedes')
  }
  return {
    ids,
    teams: await ctx.use.workspace.teamIds(caller, trx),
    accounts: await people(items.map(({ record }) => record.createdBy ?? UNKNOWN_PERSON)),
    notAdded: new Set(items.map(({ id }) => id))
  }
}

/** @returns the record, or the reason for skipping it */
function readEntry(
  { id, record }: Item<ImportedEntry>,
  { ids, teams, accounts, notAdded }: Referred,
  { workspaceId, now }: Batch<ImportedEntry>
) {
  const { type: kind = 'FACT', content, tags = [], team, status = 'ACTIVE', createdAt, expiresAt } = record
  const isMissing = (field: (typeof REFERENCES)[number]) => {
    const referredTo = ids[field].get(record[field] ?? '')
    return record[field] !== undefined && (referredTo === undefined || notAdded.has(referredTo))
  }
  const missing = REFERENCES.find(isMissing)
  if (missing) return `there is nothing here called '${record[missing]}', its ${missing}`
  const teamId = team === undefined ? null : teams.get(team.toUpperCase())
  if (teamId === undefined) return `there is no team '${team}'`
  return {
    workspaceId,
    id,
    content,
    kind,
    tags,
    teamId,
    status,
    projectId: ids.project.get(record.project ?? '') ?? null,
    issueId: ids.issue.get(record.issue ?? '') ?? null,
    supersedesId: ids.supersedes.get(record.supersedes ?? '') ?? null,
    createdById: accounts.get(record.createdBy ?? UNKNOWN_PERSON)!,
    createdAt: new Date(createdAt ?? now),
    expiresAt: expiresAt == null ? null : new Date(expiresAt)
  }
}
