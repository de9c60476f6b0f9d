import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import { imageFiles } from '../scripts/release/image.ts'

/* The rules of docs/architecture.md that no linter knows. */

const MAX_FILES_OF_FOLDER = 12
const root = join(import.meta.dirname, '..')
const sources = globSync('{core,lib,plugins}/**/*.{ts,tsx,cjs,css}', {
  cwd: root,
  exclude: ['**/test/**', '**/migrations/**', '**/*.test.ts']
})

/** The modules that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) =>
    normalize(join(dirname(file), path!))
  )
}

/** Circles of a graph: sets of nodes that reach each other. */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...edges.keys()].map(node => [node, reach(node)]))
  function reach(from: string): Set<string> {
    const visited = new Set<string>()
    const waiting = [...(edges.get(from) ?? [])]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!visited.has(node)) waiting.push(...(edges.get(node) ?? []))
      visited.add(node)
    }
    return visited
  }
  const onCircles = [...edges.keys()].filter(node => reached.get(node)!.has(node))
  const nameOf = (node: string) => onCircles.filter(other => reached.get(node)!.has(other)).sort()
  return [...new Map(onCircles.map(node => [nameOf(node).join(), nameOf(node)])).values()]
}

function edgesOf(files: readonly string[], nodeOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    const from = nodeOf(file)
    if (from === undefined) continue
    for (const to of importsOf(file).map(nodeOf)) {
      if (to !== undefined && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  return edges
}

t.test('a circle is found', async t => {
  const edges = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b', 'd'])]
  ])
  t.strictSame(circlesOf(edges), [['b', 'c']])
})

t.test('plugins do not import each other in a circle', async t => {
  const pluginOf = (file: string) => (file === 'plugins/index.ts' ? undefined : /^plugins\/[^/]+/.exec(file)?.[0])
  const edges = edgesOf(sources, pluginOf)
  t.ok(edges.size > 10, 'imports are found')
  t.strictSame(circlesOf(edges), [])
})

t.test('folders of a plugin do not import each other in a circle', async t => {
  const folderOf = (file: string) => /^plugins\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0]
  const plugins = sources.filter(file => folderOf(file) !== undefined)
  for (const [plugin, files] of Map.groupBy(plugins, file => file.split('/')[1]!)) {
    const ofPlugin = (file: string) => (file.startsWith(`plugins/${plugin}/`) ? folderOf(file) : undefined)
    t.strictSame(circlesOf(edgesOf(files, ofPlugin)), [], plugin)
  }
})

t.test('the rooms of the core and of lib do not import each other in a circle', async t => {
  // core/api/ shows the other rooms to plugins.
  const roomOf = (file: string) => /^(?:core(?!\/api\/)|lib)\/[^/]+(?=\/)/.exec(file)?.[0]
  const edges = edgesOf(sources, roomOf)
  t.ok(edges.size > 10, 'imports are found')
  t.strictSame(circlesOf(edges), [])
})

t.test('a folder has few files', async t => {
  const crowded = [...Map.groupBy(sources, file => dirname(file))].filter(([, of]) => of.length > MAX_FILES_OF_FOLDER)
  t.strictSame(
    crowded.map(([folder, of]) => `${folder}: ${of.length}`),
    []
  )
})

t.test('the core names no capability', async t => {
  const word = /\b(?:claims?|criteri\w*|runIds?|issues?)\b/gi
  const core = sources.filter(file => file.startsWith('core/'))
  t.ok(core.length > 50, 'files are found')
  t.strictSame(
    core.flatMap(
      file =>
        readFileSync(join(root, file), 'utf8')
          .match(word)
          ?.map(match => `${file}: ${match}`) ?? []
    ),
    []
  )
})

t.test('what the image is built of imports only files that .dockerignore lets in', async t => {
  const files = new Set(imageFiles(root))
  t.ok(files.has('scripts/docs/index.ts'), 'files are found')
  const modules = [...files].filter(file => /\.tsx?$/.test(file))
  t.strictSame(
    modules.flatMap(file =>
      importsOf(file)
        .filter(path => !files.has(path))
        .map(path => `${file}: ${path}`)
    ),
    []
  )
})
