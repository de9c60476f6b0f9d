import { isObject, objectOf, objectsOf, textOf, textsOf, type JsonObject } from '../values/values.ts'

/*
 * Sprints, epics and parents are custom fields, whose ids differ between sites: the `schema` of an answer (from
 * `expand=schema`) says the type of each.
 */

const SPRINT = /:gh-sprint$/
const PARENT = /:(?:gh-epic-link|jpo-custom-field-parent)$/
/** Jira Server's form. */
const SPRINT_TEXT = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@[^[]*\[(.*)\]$/s

const customOf = (schema: unknown): string => textOf(objectOf(schema)['custom']) ?? ''

/** The whole is as long as all issues of the answer. */
export const neededSchema = (schema: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(objectOf(schema)).filter(([, field]) => SPRINT.test(customOf(field)) || PARENT.test(customOf(field)))
  )

/** Sprints as `customSprints`, the key of the epic or parent as `customParent`. */
export function withCustomFields(issue: JsonObject): JsonObject {
  const schema = objectOf(issue['schema'])
  const fields: Record<string, unknown> = { ...objectOf(issue['fields']) }
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('customfield_')) continue
    const custom = customOf(schema[field])
    const isServersSprint = textsOf(value).some(text => SPRINT_TEXT.test(text))
    const parent = PARENT.test(custom) ? (textOf(value) ?? textOf(objectOf(value)['key'])) : undefined
    if (SPRINT.test(custom) || isServersSprint) fields['customSprints'] = sprintsOf(value)
    else if (parent !== undefined) fields['customParent'] = parent
    else continue
    delete fields[field]
  }
  return { ...issue, fields }
}

const sprintsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.flatMap(sprint => (isObject(sprint) ? [sprint] : textsOf([sprint]).map(readSprint))) : []

function readSprint(text: string): JsonObject {
  const [, content = ''] = SPRINT_TEXT.exec(text) ?? []
  const fields = content.matchAll(/(?:^|,)(id|state|name|startDate|endDate)=(.*?)(?=,[a-zA-Z]+=|$)/gs)
  return Object.fromEntries([...fields].map(([, name, value]) => [name!, value === '<null>' ? null : value]))
}

/** The current one, or the last. */
export function lastSprint(fields: JsonObject): JsonObject | undefined {
  const sprints = ['closedSprints', 'customSprints'].flatMap(field => objectsOf(fields[field]))
  const all = [...sprints, ...objectsOf([fields['sprint']])]
  return all.find(({ state }) => /^(?:active|future)$/i.test(textOf(state) ?? '')) ?? all.at(-1)
}
