import { oneLine } from '../markdown.ts'
import { compact, emailOf, objectOf, objectsOf, textOf, type JsonObject } from '../values/values.ts'

export function* peopleOf(value: JsonObject): Generator<JsonObject> {
  const fields = objectOf(value['fields'])
  for (const field of ['assignee', 'reporter', 'creator']) yield objectOf(fields[field])
  for (const comment of objectsOf(objectOf(fields['comment'])['comments'])) yield objectOf(comment['author'])
  for (const attachment of objectsOf(fields['attachment'])) yield objectOf(attachment['author'])
  for (const history of objectsOf(objectOf(value['changelog'])['histories'])) yield objectOf(history['author'])
}

export function accountOf(user: JsonObject) {
  const externalId = textOf(user['accountId']) ?? textOf(user['key']) ?? textOf(user['name'])
  if (externalId === undefined) return undefined
  return compact({
    externalId: oneLine(externalId, 200),
    type: 'PERSON',
    role: 'MEMBER',
    fullname: oneLine(textOf(user['displayName']) ?? externalId, 200),
    email: emailOf(user['emailAddress'])
  })
}
