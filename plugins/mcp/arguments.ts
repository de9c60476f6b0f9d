import type { TObject, TSchema } from 'typebox'
import { validSession } from '../../core/session-name.ts'

/** The schema of one argument, as far as it matters here. */
interface ArgumentSchema {
  type?: unknown
  enum?: readonly unknown[]
  items?: TSchema
}

/**
 * Converts arguments to what the schema takes, where their meaning is clear: null is none, a word may be written in any
 * case, a value stands for a list of one and a list of one for its value. The validator refuses what remains wrong.
 */
export function readArguments(input: TObject, args: Record<string, unknown>): Record<string, unknown> {
  const read: Array<[string, unknown]> = []
  for (const [name, value] of Object.entries(args)) {
    const schema: ArgumentSchema | undefined = Object.hasOwn(input.properties, name)
      ? input.properties[name]
      : undefined
    if (value === null || value === undefined) continue
    // A session only names the caller in the record: no call fails over it.
    if (schema !== undefined && name === 'session' && validSession(value) === undefined) continue
    read.push([name, schema === undefined ? value : readValue(schema, value)])
  }
  // Also `__proto__` becomes a property of its own, which the validator refuses like any unknown one.
  return Object.fromEntries(read)
}

function readValue(schema: ArgumentSchema, value: unknown): unknown {
  if (schema.type === 'array') {
    const items: ArgumentSchema = schema.items ?? {}
    return (Array.isArray(value) ? value : [value]).map(item => readWord(items, item))
  }
  return readWord(schema, Array.isArray(value) && value.length === 1 ? value[0] : value)
}

/** A word of an enumeration as it is spelt there. */
function readWord({ enum: words }: ArgumentSchema, value: unknown): unknown {
  if (typeof value !== 'string' || words === undefined) return value
  const wanted = value.trim().toLowerCase()
  return words.find(word => typeof word === 'string' && word.toLowerCase() === wanted) ?? value
}
