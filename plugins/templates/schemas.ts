import { Type } from 'typebox'
import { Closed, IdText, Line, Nullable, previously, Ref, Time } from '../../core/api/schemas.ts'
import { Markdown } from '../../core/api/text.ts'

const MAX_LABELS = 50
const MAX_CRITERIA = 50

const title = Line(1000, { description: 'What the title of an issue begins with, or all of it.' })
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
const fields = {
  title: Type.Optional(Nullable(title)),
  descriptionMarkdown: Type.Optional(Markdown),
  labelIds: Type.Optional(labelIds),
  criteria: Type.Optional(criteria),
  priority: Type.Optional(priority)
}
const team = Ref('A team’s UUID or identifier.')
export const NewTemplate = Closed({ teamId: team, name, ...fields })
export const TemplateChanges = Closed({
  name: Type.Optional(name),
  ...fields,
  previous: previously(Template, ['name', 'title', 'descriptionMarkdown', 'criteria', 'priority'])
})
export const OfTeam = Closed({ teamId: Type.Optional(team) })
export const params = Closed({ id: IdText })
