/*
 * A process for directory-lock.test.ts: after a line of input it tries to lock the folder of its argument, and prints
 * the result.
 */
import { once } from 'node:events'
import { holdDirectory } from '../directory-lock.ts'

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const outcome = await holdDirectory(process.argv[2]!).then(
  () => 'held',
  (error: Error) => error.message
)
process.stdout.write(`${outcome}\n`)
