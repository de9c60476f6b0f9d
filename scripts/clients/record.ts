import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './world.ts'

/* Records the output of a client for its runner as a file for tests: short, without paths of this machine. */

const MAX_TEXT = 200
const MAX_NAMES = 4

/**
 * @param stream the file with the output
 * @param own paths and addresses of this machine, by the words that replace them
 */
export async function record(stream: string, to: string, name: string, own: Record<string, string>): Promise<void> {
  const lines = readFileSync(stream, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.stringify(shortened(JSON.parse(replaced(line, own)))))
  await writeFile(join(await makeFolder(to), `${name}.jsonl`), `${lines.join('\n')}\n`)
}

const replaced = (text: string, own: Record<string, string>): string =>
  Object.entries(own)
    .reduce((text, [instead, what]) => text.replaceAll(what, instead), text)
    .replaceAll(/trk_\w+/g, 'TOKEN')
    .replaceAll(/\/tmp\/(?:tmp\.|[\w-]*\/)[\w.-]*/g, '/work')
    .replaceAll(/tracker-clients-\w+/g, 'tracker-clients')

/** Long texts, and lists of names such as that of all tools, are cut. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (Array.isArray(value)) {
    const items = value.every(item => typeof item === 'string') ? value.slice(0, MAX_NAMES) : value
    return items.map(shortened)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]))
}
