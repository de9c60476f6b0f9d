import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Type, type Static } from 'typebox'
import { parse } from 'yaml'
import { Closed } from '../../core/api/schemas.ts'
import { problemsOf } from '../../core/api/http.ts'
import type { GuidePart } from './contract.ts'

/** @see https://agentskills.io/specification */
const FrontMatter = Closed({
  name: Type.String({ maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  description: Type.String({ minLength: 1, maxLength: 1024 })
})

const GUIDE_FILE = /^[^/]+\/[^/]+\.md$/

interface Guide extends Static<typeof FrontMatter> {
  /** Markdown: one section under one heading. */
  body: string
  /** The content of SKILL.md: YAML front matter, then the body. */
  skill: string
}

/** @throws Error that names the file and its problem */
export function readGuides(folders: readonly URL[], texts: readonly GuidePart[]): Guide[] {
  const inFolders = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => GUIDE_FILE.test(path))
      .map(path => ({ path, text: readFileSync(new URL(path, folder), 'utf8').trim() }))
  )
  const files = [...inFolders, ...texts]

  return Object.entries(Object.groupBy(files, ({ path }) => dirname(path))).flatMap(([name, ofGuide = []]) => {
    const [beginning, second] = ofGuide.filter(({ path }) => basename(path) === 'SKILL.md')
    if (second) throw new Error(`two plugins have a guide '${name}'`)
    if (!beginning) return []
    const [, frontMatter = '', opening = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(beginning.text) ?? []
    const head = parse(frontMatter) as Static<typeof FrontMatter>
    const problems = problemsOf(FrontMatter, head, beginning.path)
    if (problems.length === 0 && head.name !== name) {
      problems.push(`${beginning.path}: its name must be that of its folder`)
    }
    if (problems.length > 0) throw new Error(problems.join('; '))

    const parts = ofGuide.filter(file => file !== beginning).toSorted((a, b) => a.path.localeCompare(b.path, 'en'))
    const body = [opening.trimStart(), ...parts.map(({ text }) => text)].join('\n\n') + '\n'
    return { ...head, body, skill: `---\n${frontMatter}\n---\n\n${body}` }
  })
}
