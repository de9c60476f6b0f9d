import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface ExtensionPoint {
  name: string
  /** The plugin that reads it, or `core`. */
  owner: string
  /** The path of the file that declares it. */
  file: string
  /** The first sentence of its documentation, or of its type's. */
  summary: string
}

const POINT = /export const (\w+) = point<([\s\S]*?)>\(\)\(\s*(\w+),\s*'\w+'\s*\)/g
const SERVER_FILES = ['core/api/points.ts', 'plugins/*/contract.ts']
const BROWSER_FILES = ['plugins/*/ui/contract.ts', 'plugins/ui/browser/registry.ts']

/** The extension points of the server's halves of plugins, and of their browser halves, by owner. */
export const extensionPoints = (root: string): { server: ExtensionPoint[]; browser: ExtensionPoint[] } => ({
  server: pointsIn(root, SERVER_FILES),
  browser: pointsIn(root, BROWSER_FILES)
})

/** @throws Error for a point without documentation */
const pointsIn = (root: string, files: readonly string[]): ExtensionPoint[] =>
  globSync(files, { cwd: root })
    .toSorted()
    .flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(POINT)].map(([declaration, name = '', type = '', owner = '']) => {
        const declarations = [declaration, `export interface ${type} `, `export type ${type} `]
        const summary = declarations.map(each => sentenceBefore(text, each)).find(each => each !== undefined)
        if (summary === undefined) throw new Error(`${file}: say what the extension point ${name} is for`)
        return { name, owner, file, summary }
      })
    })

/** The first sentence of the comment that ends where a declaration begins. */
function sentenceBefore(text: string, declaration: string): string | undefined {
  const before = text.slice(0, Math.max(text.indexOf(declaration), 0))
  const [, comment] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? []
  const words = comment
    ?.split('\n')
    .map(line => line.replace(/^ *\* ?/, '').trim())
    .join(' ')
    .trim()
  return words === undefined ? undefined : (/^.*?\.(?= [A-Z`]|$)/.exec(words)?.[0] ?? words)
}
