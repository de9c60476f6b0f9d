import { Counter } from 'prom-client'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'

const OUTCOMES = ['meaning', 'no vectors', 'no model', 'too late', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Logs the beginning of failures, too. */
export const searchOutcomes = singleton('searchOutcomes', (ctx: Ctx) => {
  const counter = new Counter({
    name: 'tracker_embeddings_searches_total',
    help: 'Searches, by whether they went by meaning, too, or why not',
    labelNames: ['outcome'],
    registers: []
  })
  for (const outcome of OUTCOMES) counter.inc({ outcome }, 0)
  let last: Outcome = 'meaning'
  return {
    counter,
    note(outcome: Outcome, error?: unknown): undefined {
      counter.inc({ outcome })
      // Logged once, not for each search; a missing model is logged by its holder.
      if (outcome !== last && (outcome === 'too late' || outcome === 'failed')) {
        ctx.log.warn({ err: error, outcome }, 'a search went by words alone')
      }
      last = outcome
    }
  }
})
