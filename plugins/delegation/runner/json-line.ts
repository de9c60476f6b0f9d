import { hasFields } from '../../../lib/util/has-fields.ts'

export type Fields = Record<string, unknown>

export function parseJsonLine(line: string): Fields | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return hasFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const fieldsIn = (fields: Fields, name: string): Fields | undefined => {
  const value = fields[name]
  return hasFields(value) ? value : undefined
}

export const stringIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && /\S/.test(value) ? value : undefined
}

export const listIn = (fields: Fields, name: string): Fields[] => {
  const value = fields[name]
  return Array.isArray(value) ? value.filter(hasFields) : []
}
