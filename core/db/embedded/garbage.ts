import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this thread, and returns the memory to the operating system. V8 itself does so only after the
 * memory has doubled, and even then keeps the space of the young generation, up to 128 MB.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
