import { Type } from 'typebox'
import { changesOf, Closed, IdText, Line, Nullable, optional, Ref, Time } from '../../core/api/schemas.ts'
import { Markdown } from '../../core/api/text.ts'

const MAX_LABELS = 50
const MAX_CRITERIA = 50

export const title = Line(1000, { description: 'What the title of an issue begins with, or all of it.' })
export const criteria = Type.Array(Line(1000), {
  maxItems: MAX_CRITERIA,
  description: 'Acceptance criteria, without boxes.'
})
export const priority = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.'
})
export const name = Line(100)
const labelIds = Type.Array(IdText, { maxItems: MAX_LABELS, uniqueItems: true })

export const Template = Closed({
  id: IdText,
  teamId: IdText,
  name: Type.String(),
  title: Nullable(Type.String()),
  descriptionMarkdown: Type.String(),
  labelIds: Type.Array(IdText, { description: 'Without those that were removed.' }),
  criteria: Type.Array(Type.String()),
  priority,
  createdAt: Time,
  updatedAt: Time
})
const fields = { name, title: Nullable(title), descriptionMarkdown: Markdown, criteria, priority }
const labels = { labelIds: Type.Optional(labelIds) }
const team = Ref('A team’s UUID or identifier.')
export const NewTemplate = Closed({ teamId: team, ...optional(fields), ...labels, name })
export const TemplateChanges = Closed({ ...changesOf(Template, fields), ...labels })
export const OfTeam = Closed({ teamId: Type.Optional(team) })
export const params = Closed({ id: IdText })
