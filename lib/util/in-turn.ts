import { setTimeout as sleep } from 'node:timers/promises'

/** @returns a function that serialises work; each call waits at most `maxMs` for the one before it */
export function makeTurns(maxMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    const ended = turn.catch(() => {}) // whoever awaits `turn` gets the error
    last = last.then(() => Promise.race([ended, sleep(maxMs, undefined, { ref: false })]))
    return turn
  }
}
