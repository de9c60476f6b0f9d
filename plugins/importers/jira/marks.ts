import type { Mark, SourceInput } from '../contract.ts'
import { reasonToOmit } from '../values/marks.ts'
import { isEmpty, objectOf, objectsOf, type JsonObject } from '../values/values.ts'

export function markOf({ security, issuerestriction, archiveddate, archivedby }: JsonObject): Mark | undefined {
  if (!isEmpty(security) || Object.values(objectOf(objectOf(issuerestriction)['issuerestrictions'])).some(isSet)) {
    return 'restricted'
  }
  return isEmpty(archiveddate) && isEmpty(archivedby) ? undefined : 'archived'
}
const isSet = (value: unknown) => !isEmpty(value)

/** Comments for a role, a group or the agents of a service desk are left out, and counted. */
export function withoutRestrictedComments(issue: JsonObject, where: string, input: SourceInput): JsonObject {
  const fields = objectOf(issue['fields'])
  const page = objectOf(fields['comment'])
  const reason = reasonToOmit('restricted', input)
  const comments = objectsOf(page['comments'])
  const open = comments.filter(comment => reason === undefined || !isRestricted(comment))
  if (open.length === comments.length) return issue
  const restricted = comments.length - open.length
  input.leaveOut('comments', reason!, where, restricted)
  const total = Math.max(open.length, Number(page['total'] ?? 0) - restricted)
  return { ...issue, fields: { ...fields, comment: { ...page, comments: open, total } } }
}

const isRestricted = ({ visibility, jsdPublic, properties }: JsonObject): boolean =>
  !isEmpty(visibility) ||
  jsdPublic === false ||
  objectsOf(properties).some(
    ({ key, value }) => key === 'sd.public.comment' && String(objectOf(value)['internal']) === 'true'
  )
