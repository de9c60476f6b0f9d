import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { makeStreamReader, type ModelUsage } from './streams.ts'

const REPORT_INTERVAL_MS = 1_000

interface UsageReporter {
  readLine(line: string): void
  /** It never rejects. */
  end(): Promise<void>
}

type Reported = Record<'workspaceId' | 'id' | 'issueId' | 'agentId' | 'tokenId', Id>

/** @returns undefined while the plugin is off that keeps reports */
export function makeUsageReporter(ctx: Ctx, attempt: Reported, unnamedModel?: string): UsageReporter | undefined {
  const { use, log, asServer, transaction } = ctx
  const { usage } = use
  if (!usage) return undefined
  const { workspaceId, id: runId, issueId, agentId, tokenId } = attempt
  const caller = { ...asServer(workspaceId, agentId), accountId: agentId, tokenId }
  let unreported = new Map<string, ModelUsage>()
  const over = new AbortController()

  async function report(): Promise<void> {
    const reports = unreported
    if (reports.size === 0) return
    unreported = new Map()
    try {
      await transaction(async trx => {
        for (const figures of reports.values()) await usage!.record(caller, trx, { ...figures, runId, issueId })
      })
    } catch (error) {
      log.warn({ err: error, runId }, 'the usage of a run could not be stored')
      unreported = new Map([...reports, ...unreported])
    }
  }
  async function reportRepeatedly(): Promise<void> {
    while (!over.signal.aborted) {
      await sleep(REPORT_INTERVAL_MS, undefined, { signal: over.signal }).catch(() => {})
      await report()
    }
  }

  const reporting = reportRepeatedly()
  const readLine = makeStreamReader(unnamedModel, figures => {
    unreported.set(figures.reportId, figures)
  })
  return {
    readLine,
    async end() {
      over.abort()
      await reporting
      // Usage that was read while the last report was stored.
      await report()
    }
  }
}
