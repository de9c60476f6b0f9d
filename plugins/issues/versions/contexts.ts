import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { hasFields } from '../../../lib/util/has-fields.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import { contextSections } from '../contract.ts'
import type { ContextText, IssueQueries } from '../queries/read/read.ts'
import { changesBetween, type Fields } from './changes-between.ts'
import { shortened } from './shortened.ts'

const VERSION_LENGTH = 10
/** In characters. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024

/**
 * The contexts that this server has answered, by workspace and version. A version is the digest of its context, so all
 * replicas know whether it is the present one; only a replica that has answered it knows the changes since.
 */
const answeredContexts = singleton(
  'answeredContexts',
  (_: Ctx) => new LRUCache<string, string>({ maxSize: MAX_KEPT_LENGTH, sizeCalculation: ({ length }) => length })
)

interface VersionedContext {
  json: string
  version: string
}

export interface ContextQuery {
  since?: string
  maxTokens?: number
}

export interface Contexts {
  read(...issue: Parameters<IssueQueries['context']>): Promise<VersionedContext>
  answer(workspaceId: Id, context: VersionedContext, query: ContextQuery): Promise<string>
}

export function makeContexts(ctx: Ctx, reads: Pick<IssueQueries, 'context'>): Contexts {
  const answered = ctx.get(answeredContexts)
  const keyOf = (workspaceId: Id, version: string) => `${workspaceId} ${version}`
  const sections = ctx.contributions(contextSections).map(({ item }) => item)
  const unversioned = sections.flatMap(section =>
    'json' in section && section.unversioned ? [{ section: section.name, fields: section.unversioned }] : []
  )
  const growingSections = sections.filter(section => 'list' in section && section.grows)
  const growing = ['history', ...growingSections.map(({ name }) => name)]
  const covered = (context: Fields): Fields => {
    const copy = { ...context }
    for (const { section, fields } of unversioned) {
      const value = copy[section]
      if (!hasFields(value)) continue
      if (fields === 'all') delete copy[section]
      else copy[section] = Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)))
    }
    return copy
  }
  const versionOf = ({ json, extra }: ContextText): string => {
    const coveredExtra = extra === null ? {} : covered(JSON.parse(extra) as Fields)
    const coveredText = Object.keys(coveredExtra).length === 0 ? '' : JSON.stringify(coveredExtra)
    return hash('sha256', json + coveredText, 'base64url').slice(0, VERSION_LENGTH)
  }
  return {
    async read(...issue) {
      const text = await reads.context(...issue)
      const version = versionOf(text)
      const extra = text.extra === null ? '' : `,${text.extra.slice(1, -1)}`
      const json = `${text.json.slice(0, -1)}${extra},"version":"${version}"}`
      answered.set(keyOf(issue[1], version), json)
      return { json, version }
    },
    async answer(workspaceId, { json, version }, { since, maxTokens }) {
      if (since === version) return JSON.stringify({ unchanged: true, version })
      const before = since === undefined ? undefined : answered.get(keyOf(workspaceId, since))
      if (before === undefined && maxTokens === undefined) return json
      const whole = JSON.parse(json) as Fields
      const changes = before === undefined ? undefined : changesSince(JSON.parse(before) as Fields, whole)
      const answer = changes ?? whole
      return JSON.stringify(maxTokens === undefined ? answer : await shortened(answer, maxTokens, growing))
    }
  }

  function changesSince(before: Fields, now: Fields): Fields | undefined {
    if (before['id'] !== now['id']) return undefined
    const changes = changesBetween(covered(before), covered(now), growing)
    for (const { section } of unversioned) {
      if (changes[section] !== undefined && changes[section] !== null) changes[section] = now[section]
    }
    return { delta: true, ...changes }
  }
}
