import type { Effect, Step } from './trial.ts'
import type { TableSize } from './queries.ts'

/* On a busy machine: docs/backup-and-upgrade.md has the measurement, `bench/upgrade.ts` repeats it. */
const SECONDS_PER_GB_REWRITTEN = 40
const SECONDS_PER_MILLION_INDEXED = 6
/** Not measured: no migration so far reads a large table for a rule alone, or writes to each row of one. */
const SECONDS_PER_GB_READ = 5
const SECONDS_PER_MILLION_WRITTEN = 30

const [MILLION, GB] = [1e6, 2 ** 30]

export function secondsOf(effect: Effect, { rows, bytes, indexes }: TableSize): number {
  const [millions, gigabytes] = [rows / MILLION, bytes / GB]
  const built = effect.newIndexes + (effect.isRewritten ? indexes : 0)
  return (
    (effect.isRewritten ? gigabytes * SECONDS_PER_GB_REWRITTEN : 0) +
    built * millions * SECONDS_PER_MILLION_INDEXED +
    effect.newRules * gigabytes * SECONDS_PER_GB_READ +
    (effect.writesRows || effect.isRead ? millions * SECONDS_PER_MILLION_WRITTEN : 0)
  )
}

export function linesOf({ effects }: Step, sizes: ReadonlyMap<string, TableSize>): string[] {
  if (effects.length === 0) return ['makes tables or functions; nobody waits']
  return effects.map(effect => {
    const size = sizes.get(effect.table) ?? { rows: 0, bytes: 0, indexes: 0 }
    const does = [
      effect.isRewritten ? 'is rewritten' : '',
      effect.newIndexes > 0 ? `gets ${counted(effect.newIndexes, 'index', 'indexes')}` : '',
      effect.newRules > 0 ? `is checked for ${counted(effect.newRules, 'rule', 'rules')}` : '',
      effect.writesRows ? 'has rows written' : '',
      effect.isRead ? 'is read' : ''
    ].filter(Boolean)
    const waits = effect.blocks === 'nothing' ? 'nobody waits' : `${effect.blocks} wait`
    const what = does.length === 0 ? 'is altered' : does.join(', ')
    return `${effect.table} (${Math.round(size.rows)} rows) ${what}: ${waits}, ${durationOf(secondsOf(effect, size))}`
  })
}

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
const durationOf = (seconds: number): string =>
  seconds < 1 ? 'less than a second' : `about ${Math.ceil(seconds)} seconds`
