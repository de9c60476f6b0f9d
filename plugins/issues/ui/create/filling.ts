/** A template, as the form of a new issue takes it. */
export interface Filling {
  name: string
  teamId: string
  title: string | null
  descriptionMarkdown: string
  labelIds: readonly string[]
  criteria: readonly string[]
  /** 0: none. */
  priority: number
}

/** The fields of the form that are stored with the draft. */
export interface Fields {
  title: string
  /** Undefined: the team of the page below. */
  teamId?: string | undefined
  priority?: number | undefined
  labelIds?: readonly string[] | undefined
  assigneeId?: string | null | undefined
}
export interface Form {
  fields: Fields
  text: string
}
export interface FormChange {
  name: string
  before: Form
  after: Form
}

/**
 * Fills in a template. What is typed or chosen stays; labels and criteria are added.
 * @param withCriteria adds criteria to a text, as the server does
 */
export function fill(
  { fields, text }: Form,
  { name, teamId, title, priority, labelIds, descriptionMarkdown, criteria }: Filling,
  withCriteria: (text: string, criteria: readonly string[]) => string
): FormChange {
  const after = {
    fields: {
      ...fields,
      teamId,
      title: fields.title.trim() === '' ? (title ?? '') : fields.title,
      priority: fields.priority ?? priority,
      labelIds: [...new Set([...(fields.labelIds ?? []), ...labelIds])]
    },
    text: withCriteria(text.trim() === '' ? descriptionMarkdown : text, criteria)
  }
  return { name, before: { fields, text }, after }
}

/** The form without what the template has changed; what was typed or chosen since stays. */
export function unfill({ fields, text }: Form, { before, after }: FormChange): Form {
  const undone = <T>(now: T, then: T, former: T): T => (now === then ? former : now)
  const { labelIds: former = [] } = before.fields
  const added = (after.fields.labelIds ?? []).filter(id => !former.includes(id))
  const labelIds = fields.labelIds?.filter(id => !added.includes(id))
  return {
    fields: {
      ...fields,
      title: undone(fields.title, after.fields.title, before.fields.title),
      teamId: undone(fields.teamId, after.fields.teamId, before.fields.teamId),
      priority: undone(fields.priority, after.fields.priority, before.fields.priority),
      labelIds: labelIds?.length === 0 ? undefined : labelIds
    },
    text: undone(text, after.text, before.text)
  }
}

export const isOnlyFilled = ({ fields, text }: Form, { before, after }: FormChange): boolean =>
  before.fields.title.trim() === '' &&
  before.text.trim() === '' &&
  text === after.text &&
  JSON.stringify(fields) === JSON.stringify(after.fields)
