/*
 * A process, for directory-lock.test.ts: told by a line of its input, it tries to hold the folder that it is given, and
 * prints whether it does.
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
