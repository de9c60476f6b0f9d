import type { FastifyBaseLogger } from 'fastify'
import { Counter } from 'prom-client'
import { allStatements } from './statement.ts'

const MAX_TEXT_LENGTH = 200
const ROOT = new URL('../../../', import.meta.url).href

/** Where a statement is written (`plugins/issues/queries/read.ts: context`), or the beginning of its text. */
export function nameOfStatement(text: string): string {
  // The texts are compiled here, because slow statements are few.
  for (const [url, statements] of allStatements()) {
    for (const [name, compiled] of statements) {
      if (compiled().sql === text) return `${url.startsWith(ROOT) ? url.slice(ROOT.length) : url}: ${name}`
    }
  }
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line
}

export const makeSlowStatements = (): Counter =>
  new Counter({
    name: 'tracker_database_slow_statements_total',
    help: 'Statements of this process that took longer than slowStatementMs, until their answer',
    registers: []
  })

/** Logs and counts statements that take longer than the setting, which may change. Their values are not logged. */
export const slowStatementLog =
  (settings: { readonly slowStatementMs: number }, log: FastifyBaseLogger, counter: Counter) =>
  (text: string, durationMs: number): void => {
    const { slowStatementMs } = settings
    if (slowStatementMs === 0 || durationMs < slowStatementMs) return
    counter.inc()
    log.warn({ statement: nameOfStatement(text), durationMs: Math.round(durationMs) }, 'a statement was slow')
  }
