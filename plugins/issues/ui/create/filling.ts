/** What the form of a new issue is filled with, where nothing is typed: a template. */
export interface Filling {
  /** `Bug report` */
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
  priority?: number
  labelIds?: readonly string[]
}
/** A form with its text. */
interface Form {
  fields: Fields
  text: string
}
/** The form as it was before it was filled, and after. */
export interface Filled {
  name: string
  before: Form
  after: Form
}

/** What is typed or chosen stays; labels and criteria are added. */
export function fill({ fields, text }: Form, filling: Filling): Filled {
  const { name, teamId, title, priority, labelIds, descriptionMarkdown, criteria } = filling
  const labels = [...new Set([...(fields.labelIds ?? []), ...labelIds])]
  const after = {
    fields: {
      teamId,
      title: fields.title.trim() === '' ? (title ?? '') : fields.title,
      priority: fields.priority || priority,
      labelIds: labels
    },
    text: withCriteria(text.trim() === '' ? descriptionMarkdown : text, criteria)
  }
  return { name, before: { fields, text }, after }
}

/** As the server adds criteria to a description. */
function withCriteria(text: string, criteria: readonly string[]): string {
  const missing = criteria.filter(each => !text.includes(`] ${each}`))
  if (missing.length === 0) return text
  const items = missing.map(each => `- [ ] ${each}`).join('\n')
  return [text.trim(), '## Acceptance criteria', items].filter(part => part !== '').join('\n\n')
}

/** The form as it was before, but for what was changed since. */
export function unfill({ fields, text }: Form, { before, after }: Filled): Form {
  const kept = <T>(now: T, then: T, former: T): T => (JSON.stringify(now) === JSON.stringify(then) ? former : now)
  const { title, teamId, priority, labelIds } = fields
  return {
    fields: {
      title: kept(title, after.fields.title, before.fields.title),
      teamId: kept(teamId, after.fields.teamId, before.fields.teamId),
      priority: kept(priority, after.fields.priority, before.fields.priority) ?? 0,
      labelIds: kept(labelIds, after.fields.labelIds, before.fields.labelIds) ?? []
    },
    text: kept(text, after.text, before.text)
  }
}
