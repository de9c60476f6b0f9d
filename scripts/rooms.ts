/*
 * The picture in docs/architecture.md: the rooms of the core, `lib/` and the plugins, and which of them import which,
 * as mermaid text. Imports of types alone are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The intended order: a room imports later rooms. Rooms without a place here come before `core/db`. */
const ORDER = [
  'start',
  'plugins',
  'core/api',
  'core/cli',
  'core/config',
  'core/kernel',
  'core/http',
  'core/auth',
  'core/events'
]
const LAST = ['core/db', 'lib/rich-text', 'lib/words', 'lib/util']
/** Every room may import these, so arrows to them would say nothing. */
const EVERYWHERE = new Set(['core/api', 'lib/util'])
const MAX_LINE_LENGTH = 28

type Graph = ReadonlyMap<string, ReadonlySet<string>>

function roomOf(file: string): string {
  const [top, room, ...rest] = file.split('/')
  if (top === 'plugins') return 'plugins'
  return rest.length === 0 ? 'start' : `${top}/${room}`
}

/** The files that a file imports, statically or by `import()`. */
function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)
  return [...imports].map(([, whole, later]) => normalize(join(dirname(file), (whole ?? later)!)))
}

function graphOf(root: string): Graph {
  const files = globSync('{core,lib,plugins}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/test/**', '**/migrations/**', '**/*.d.ts']
  })
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const room = roomOf(file)
    const imported = graph.get(room) ?? new Set<string>()
    graph.set(room, imported)
    for (const other of importsOf(root, file).map(roomOf)) if (other !== room) imported.add(other)
  }
  return graph
}

/** True if `to` can be reached from `from` without the direct arrow between them. */
function isImplied(downward: Graph, from: string, to: string): boolean {
  const visited = new Set([from])
  const waiting = [...(downward.get(from) ?? [])].filter(room => room !== to)
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true
    if (visited.has(room)) continue
    visited.add(room)
    waiting.push(...(downward.get(room) ?? []))
  }
  return false
}

/** Words with commas between them, in lines. */
function wrapped(words: readonly string[]): string {
  const lines = ['']
  for (const word of words) {
    if (lines.at(-1)!.length + word.length > MAX_LINE_LENGTH) lines.push('')
    lines[lines.length - 1] += `${word}, `
  }
  return lines.join('<br/>').replaceAll(', <', ',<').replace(/, $/, '')
}

const idOf = (room: string) => room.replace('/', '_').replace('-', '_')

/** @param plugins the names of the plugins */
export function roomsPicture(root: string, plugins: readonly string[]): string {
  const graph = graphOf(root)
  const between = [...graph.keys()].filter(room => !ORDER.includes(room) && !LAST.includes(room)).sort()
  const order = [...ORDER, ...between, ...LAST].filter(room => graph.has(room))
  const isDownward = (from: string, to: string) => order.indexOf(from) < order.indexOf(to)
  const isDrawn = (from: string, to: string) => from === 'plugins' || from === 'start' || !EVERYWHERE.has(to)
  const arrows = order.flatMap(from =>
    order.filter(to => graph.get(from)!.has(to) && isDrawn(from, to)).map(to => ({ from, to }))
  )
  const downward = new Map(
    order.map(from => [from, new Set([...graph.get(from)!].filter(to => isDownward(from, to) && isDrawn(from, to)))])
  )
  const labels: Record<string, string> = {
    start: 'core/main.ts, cli.ts, run.ts',
    plugins: `plugins/<br/>${wrapped(plugins)}`
  }
  const node = (room: string) => `  ${idOf(room)}["${labels[room] ?? `${room}/`}"]`
  const ofCore = (room: string) => room.startsWith('core/')
  return [
    '```mermaid',
    'flowchart TD',
    ...order.filter(room => !ofCore(room) && !room.startsWith('lib/')).map(node),
    '  subgraph core',
    ...order.filter(ofCore).map(room => `  ${node(room)}`),
    '  end',
    '  subgraph lib',
    ...order.filter(room => room.startsWith('lib/')).map(room => `  ${node(room)}`),
    '  end',
    ...arrows
      .filter(({ from, to }) => isDownward(from, to) && !isImplied(downward, from, to))
      .map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`),
    ...arrows.filter(({ from, to }) => !isDownward(from, to)).map(({ from, to }) => `  ${idOf(from)} -.-> ${idOf(to)}`),
    '```'
  ].join('\n')
}
