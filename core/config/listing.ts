import type { TObject, TSchema } from 'typebox'
import { isTree, type Tree } from './tree.ts'

/** A setting, as the reference lists it: a value of the core, or of a plugin. */
interface ListedSetting {
  path: string
  schema: TSchema
  value: unknown
}

/** All settings of a schema, the parts of a value with parts beside each other, with their values. */
export function listSettings(schema: TObject, values: Tree, path: readonly string[] = []): ListedSetting[] {
  return Object.entries(schema.properties).flatMap(([key, at]) => {
    const inner = [...path, key]
    const value = values[key]
    if (isTree(value) && isObject(at)) return listSettings(at, value, inner)
    return [{ path: inner.join('.'), schema: at, value }]
  })
}

const isObject = (schema: TSchema): schema is TObject => 'properties' in schema

const MASK = '********'

/** A value as it may be shown: of a secret, only that there is one; of a URL, everything but its credentials. */
export function shownValue({ value, schema }: Pick<ListedSetting, 'value' | 'schema'>): string {
  if (value === undefined) return 'not set'
  if (!isSecret(schema)) return JSON.stringify(value)
  if (isTree(value)) return JSON.stringify(Object.fromEntries(Object.keys(value).map(key => [key, MASK])))
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url?.host) return MASK
  // Drivers take passwords from parameters, too.
  if (url.search !== '') url.search = MASK
  if (url.password !== '') url.password = MASK
  return JSON.stringify(url.href)
}

/** True if a setting holds a secret. `writeOnly` is JSON Schema's word for it. */
export const isSecret = (schema: TSchema): boolean => 'writeOnly' in schema && schema.writeOnly === true

/** True if a setting changes on SIGHUP: it is read each time that it is used. */
export const isReloaded = (schema: TSchema): boolean => 'reloads' in schema && schema.reloads === true
