import { Type } from 'typebox'
import { forceLine, lineProblem } from '../../core/api/text.ts'
import { Closed } from '../../core/api/schemas.ts'
import type { RecordKind } from './contract.ts'

export type Line = { kind: string; externalId?: string } & Record<string, unknown>

/** Records refer only to earlier kinds, or to their own. */
export function sortKinds(contributed: readonly RecordKind[]): RecordKind[] {
  const kinds: RecordKind[] = []
  for (const kind of contributed) {
    const at = kinds.findIndex(other => kind.before?.includes(other.kind))
    kinds.splice(at < 0 ? kinds.length : at, 0, kind)
  }
  return kinds
}

/** A record, and sentences about removed parts. */
export interface ReadRecord {
  record: Line
  lost: readonly string[]
}

/** @returns a function that parses a line, and throws an Error that names its problem */
export async function makeReader(kinds: readonly RecordKind[]): Promise<(line: string) => ReadRecord> {
  // Most of the library, which a server does not need to start.
  const { Compile } = await import('typebox/compile')
  const schemas = new Map(
    kinds.map(({ kind, fields }) => [kind, Compile(Closed({ kind: Type.Literal(kind), ...fields }))])
  )
  return line => {
    const value = parse(line)
    const kind = (value as { kind?: string } | null)?.kind ?? ''
    const schema = schemas.get(kind)
    if (!schema) throw new Error(`its kind is none of ${[...schemas.keys()].join(', ')}`)
    const lost = new Set<string>()
    forceLines(schema.Type(), value, reason => lost.add(reason))
    if (!schema.Check(value)) {
      const [problem] = schema.Errors(value)
      const field = problem?.instancePath.slice(1).replaceAll('/', '.') || 'it'
      // An unknown field has no schema.
      throw new Error(
        problem?.keyword === 'boolean'
          ? `${field} is not a field of '${kind}'`
          : `${field} ${problem?.message ?? 'does not fit'}`
      )
    }
    return { record: value as Line, lost: [...lost] }
  }
}

interface FieldSchema {
  'x-line'?: boolean
  anyOf?: readonly FieldSchema[]
  items?: FieldSchema
  properties?: Readonly<Record<string, FieldSchema>>
}

/** In place. @param note takes a sentence about each removal */
function forceLines(schema: FieldSchema, value: unknown, note: (reason: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value) as Array<[string, unknown]>) {
    const of = Array.isArray(value) ? schema.items : ownOf(schema.properties, name)
    for (const choice of of?.anyOf ?? [of ?? {}]) {
      if (choice['x-line'] && typeof inner === 'string') Reflect.set(value, name, forceField(inner, name, note))
      else forceLines(choice, inner, note)
    }
  }
}
const ownOf = <T>(fields: Readonly<Record<string, T>> = {}, name: string): T | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

function forceField(text: string, name: string, note: (reason: string) => void): string {
  const line = forceLine(text)
  const field = /^\d+$/.test(name) ? 'a name in it' : `its ${name}`
  if (line === '' && text !== '') {
    note(`${field} shows nothing: it is '${UNTITLED}'`)
    return UNTITLED
  }
  if (lineProblem(text) !== undefined) note(`${field} has characters that a line must not have: they are left out`)
  return line
}
const UNTITLED = 'Untitled'

function parse(line: string): unknown {
  try {
    // PostgreSQL cannot store NUL.
    return line.includes('\\u0000')
      ? JSON.parse(line, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '') : (value as unknown)))
      : JSON.parse(line)
  } catch {
    throw new Error('it is no JSON')
  }
}
