import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { secretOf } from '../../core/api/command.ts'
import { assertScope, readScope, writeScope } from '../../core/api/scopes.ts'
import { Closed } from '../../core/api/schemas.ts'
import { importSources, MARKS, type ImportMap, type SourceInput } from './contract.ts'
import type { ForeignBoards, LeftOut, ToFetch } from '../transfer/contract.ts'
import { writeMarkdown } from './markdown/write.ts'
import { reference } from './references.ts'
import type { Ctx } from './context.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

/** Per kind and reason; all are counted. */
const MAX_EXAMPLES = 10_000
const Names = Type.Optional(Type.Record(Type.String(), Type.String()))
const MapSchema = Closed({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  teams: Names,
  states: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Union([Type.String(), Closed({ name: Type.String(), category: Type.Optional(Type.String()) })])
    )
  ),
  people: Names,
  labels: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
  priorities: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 4 }))),
  url: Type.Optional(Type.String({ pattern: '^https?://' })),
  columns: Names,
  dateOrder: Type.Optional(Type.Enum(['DMY', 'MDY']))
})

export function boardsOf(ctx: Ctx): ForeignBoards {
  return {
    async writeMarkdown(caller, lines, folder) {
      assertScope(caller, readScope)
      return writeMarkdown(lines, folder)
    },
    async open(caller, { source: name, place, mapFile, include, files, env, pathOf, waitFactor = 1 }) {
      assertScope(caller, writeScope)
      const sources = ctx.contributions(importSources).map(({ item }) => item)
      const source = sources.find(each => each.name === name)
      if (!source) {
        const known = sources.map(each => `  ${each.name}: ${each.summary}`).join('\n')
        throw new Error(`There is no source '${name}'; --from takes one of:\n${known}`)
      }
      const map = mapFile === undefined ? {} : await readMap(mapFile)
      const toFetch: ToFetch = { files: 0, bytes: 0, unknown: 0 }
      const omissions = new Map<string, LeftOut>()
      const input: SourceInput = {
        place,
        map,
        include: readMarks(include),
        files,
        token: source.tokenVariable === undefined ? undefined : secretOf(env, source.tokenVariable, pathOf),
        waitFactor,
        leaveOut(what, reason, where, count = 1) {
          const key = JSON.stringify([what, reason])
          const one = omissions.get(key) ?? { what, reason, count: 0, examples: [] }
          one.count += count
          if (one.examples.length < MAX_EXAMPLES) one.examples.push(where)
          omissions.set(key, one)
        },
        reference
      }
      // Only an import needs it.
      const { readBoard } = await import('./texts/lines.ts')
      return {
        kind: source.name,
        name: map.name,
        accountNames: new Set(Object.values(map.people ?? {})),
        read: (reading = () => {}) => readBoard(source, input, { settings: () => ctx.settings, toFetch }, reading),
        leftOut: () => [...omissions.values()],
        toFetch: () => ({ ...toFetch })
      }
    }
  }
}

function readMarks(list: string | undefined): SourceInput['include'] {
  const names = list === undefined ? [] : list.split(',').map(name => name.trim())
  const marks = MARKS.filter(mark => names.includes(mark))
  const unknown = names.find(name => !MARKS.some(mark => mark === name))
  if (unknown !== undefined) throw new Error(`--include takes ${MARKS.join(', ')}, and no '${unknown}'.`)
  return new Set(marks)
}

async function readMap(file: string): Promise<ImportMap> {
  let map: unknown
  try {
    map = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`The map ${file} cannot be read: ${(error as Error).message}`)
  }
  const refuse = (problem: string) =>
    new Error(`The map ${file} cannot be used: ${problem}. docs/importers.md says what it takes.`)
  const { Compile } = await import('typebox/compile')
  const schema = Compile(MapSchema)
  if (!schema.Check(map)) {
    const [problem] = schema.Errors(map)
    const field = problem?.instancePath.slice(1).replaceAll('/', '.') || 'it'
    throw refuse(`${field} ${problem?.message}`)
  }
  for (const [name, state] of Object.entries(map.states ?? {})) {
    const category = typeof state === 'string' ? undefined : state.category
    if (category !== undefined && !STATE_CATEGORIES.some(known => known === category)) {
      throw refuse(`states.${name}.category is '${category}', which is none of ${STATE_CATEGORIES.join(', ')}`)
    }
  }
  return map
}
