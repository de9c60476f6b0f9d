import type { FastifyBaseLogger } from 'fastify'
import { Counter } from 'prom-client'
import type { SlowStatements } from './client.ts'
import { allStatements } from './statement.ts'

const MAX_TEXT_LENGTH = 200
const ROOT = new URL('../../../', import.meta.url).href

/** `plugins/labels/queries.ts: listLabels`, or the beginning of its text. */
export function nameOfStatement(text: string): string {
  for (const [url, statements] of allStatements()) {
    for (const [name, compiled] of statements) {
      if (compiled().sql === text) return `${url.startsWith(ROOT) ? url.slice(ROOT.length) : url}: ${name}`
    }
  }
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line
}

export function makeSlowStatements(
  settings: SlowStatements['settings'],
  log: FastifyBaseLogger
): SlowStatements & { readonly counter: Counter } {
  const counter = new Counter({
    name: 'tracker_database_slow_statements_total',
    help: 'Statements of this process that took longer than slowStatementMs, until their answer',
    registers: []
  })
  return {
    counter,
    settings,
    report(text, durationMs) {
      counter.inc()
      log.warn({ statement: nameOfStatement(text), durationMs: Math.round(durationMs) }, 'a statement was slow')
    }
  }
}
