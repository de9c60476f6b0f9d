import { isId } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { abbreviate, missing } from '../../core/api/errors.ts'

const KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-([1-9][0-9]{0,8})$/

/** A UUID, or a key in any case. */
export function parseIssueName(ref: string): { id: Id } | { identifier: string; number: number } | undefined {
  if (isId(ref)) return { id: ref.toLowerCase() }
  const [, identifier, number] = KEY.exec(ref) ?? []
  return identifier === undefined ? undefined : { identifier: identifier.toUpperCase(), number: Number(number) }
}

export const noIssue = (ref: string) =>
  missing(
    `There is no issue '${abbreviate(ref)}' in this workspace: name it by its key, such as ENG-12, or search for it.`
  )
