import type { SourceInput } from '../contract.ts'
import { isAddress } from '../io/files.ts'
import { objectOf, textOf, type JsonObject } from '../values/values.ts'

/** Host and path; undefined when unknown. */
export function siteOf(issue: JsonObject, { map, place }: SourceInput): string | undefined {
  const fields = objectOf(issue['fields'])
  const self = [issue, objectOf(fields['project']), objectOf(fields['status'])].map(({ self }) => textOf(self))
  for (const address of [...self, map.url, isAddress(place) ? place : undefined]) {
    const url = address === undefined ? null : URL.parse(address)
    if (url === null) continue
    return url.host + url.pathname.replace(/\/(?:browse|projects|rest|issues)\b.*$/, '').replace(/\/$/, '')
  }
  return undefined
}
