/*
 * The picture in docs/architecture.md: the rooms of the core, `lib/` and the plugins, and which of them import which,
 * as mermaid text. Imports of types alone are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

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

/** Sorts the rooms: each comes before those that it imports. @throws Error when rooms import each other in a circle */
function sorted(graph: Graph): string[] {
  const rest = new Map([...graph].toSorted(([a], [b]) => a.localeCompare(b)))
  const order: string[] = []
  while (rest.size > 0) {
    const imported = new Set([...rest.values()].flatMap(rooms => [...rooms]))
    const next = [...rest.keys()].find(room => !imported.has(room))
    if (next === undefined) throw new Error(`Rooms import each other in a circle: ${[...rest.keys()].join(', ')}.`)
    order.push(next)
    rest.delete(next)
  }
  return order
}

/** True if `to` can be reached from `from` without the direct arrow between them. */
function isImplied(graph: Graph, from: string, to: string): boolean {
  const visited = new Set([from])
  const waiting = [...graph.get(from)!].filter(room => room !== to)
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true
    if (visited.has(room)) continue
    visited.add(room)
    waiting.push(...graph.get(room)!)
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
  const isDrawn = (from: string, to: string) => from === 'plugins' || from === 'start' || !EVERYWHERE.has(to)
  const graph = new Map(
    [...graphOf(root)].map(([from, imported]) => [from, new Set([...imported].filter(to => isDrawn(from, to)))])
  )
  const order = sorted(graph)
  const labels: Record<string, string> = {
    start: 'core/main.ts, cli.ts',
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
    ...order.flatMap(from =>
      order
        .filter(to => graph.get(from)!.has(to) && !isImplied(graph, from, to))
        .map(to => `  ${idOf(from)} --> ${idOf(to)}`)
    ),
    '```'
  ].join('\n')
}
