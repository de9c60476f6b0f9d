import { abbreviate, invalid } from '../../core/api/errors.ts'
import type { EventType } from '../../core/api/events.ts'

/** The types that match a comma-separated list of names and patterns. @throws 400 that lists the types */
export function typesNamed(list: string, types: readonly EventType[]): string[] {
  const names = types.map(({ name }) => name)
  const patterns = list.split(',').map(pattern => pattern.trim())
  return [
    ...new Set(
      patterns.flatMap(pattern => {
        const beginning = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined
        const matches = names.filter(name => (beginning === undefined ? name === pattern : name.startsWith(beginning)))
        if (matches.length > 0) return matches
        throw invalid(`There are no events of the type '${abbreviate(pattern)}'; the types are: ${names.join(', ')}.`, {
          field: 'types'
        })
      })
    )
  ]
}
