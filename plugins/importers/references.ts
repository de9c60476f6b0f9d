/**
 * Until all issues are known, a reference to one stands in a text as its old key and what to write if it never comes,
 * between characters of Unicode's private use area.
 */
const [START, BETWEEN, END] = ['\uE000', '\uE002', '\uE001']
const REFERENCE = /\uE000([^\uE000-\uE002\s]{1,200})\uE002([^\uE000-\uE002]*)\uE001/g

export const reference = (oldKey: string, otherwise = oldKey): string => `${START}${oldKey}${BETWEEN}${otherwise}${END}`

export const hasReference = (text: string): boolean => text.includes(START)

/** References become what the import format writes for them; those to issues that do not come, what stood there. */
export const resolveReferences = (text: string, externalIds: ReadonlyMap<string, string>): string =>
  hasReference(text)
    ? text.replaceAll(REFERENCE, (_, key: string, otherwise: string) => {
        const externalId = externalIds.get(key.toUpperCase())
        return externalId === undefined ? otherwise : `<issue:${externalId}>`
      })
    : text
