import { Type } from 'typebox'
import { Closed } from '../../core/schemas.ts'
import type { RecordKind } from './contract.ts'

/** A record as a line holds it, with the fields of its kind's schema. */
export type Line = { kind: string; externalId?: string } & Record<string, unknown>

/** The kinds in the order in which their lines stand: no record names one that comes later, but of its own kind. */
export function sortKinds(contributed: readonly RecordKind[]): RecordKind[] {
  const kinds: RecordKind[] = []
  for (const kind of contributed) {
    const at = kinds.findIndex(other => kind.before?.includes(other.kind))
    kinds.splice(at < 0 ? kinds.length : at, 0, kind)
  }
  return kinds
}

/** Reads lines. The returned function throws an Error with what is wrong with a line. */
export async function makeReader(kinds: readonly RecordKind[]): Promise<(line: string) => Line> {
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
    if (!schema.Check(value)) {
      const [problem] = schema.Errors(value)
      const field = problem?.instancePath.slice(1).replaceAll('/', '.') || 'it'
      // An unknown field is one for which there is no schema that it could fit.
      throw new Error(
        problem?.keyword === 'boolean'
          ? `${field} is not a field of '${kind}'`
          : `${field} ${problem?.message ?? 'does not fit'}`
      )
    }
    return value as Line
  }
}

function parse(line: string): unknown {
  try {
    // PostgreSQL's texts hold no NUL.
    return line.includes('\\u0000')
      ? JSON.parse(line, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '') : (value as unknown)))
      : JSON.parse(line)
  } catch {
    throw new Error('it is no JSON')
  }
}
