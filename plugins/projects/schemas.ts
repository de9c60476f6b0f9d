import { Type } from 'typebox'
import { PreferHeader } from '../../core/api/http.ts'
import { Markdown, RawRichText } from '../../core/api/text.ts'
import { changesOf, Closed, Day, IdText, Line, Nullable, optional, Ref, Time } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import { HEALTHS, PROJECT_STATES } from './states.ts'

const MAX_MEMBERS = 100
/** Characters. */
const MAX_UPDATE_LENGTH = 10_000
const MAX_UPDATES = 50

export const tags = ['projects']
export const params = Closed({ id: IdText })
export const headers = Type.Object(PreferHeader)

const state = Type.Enum([...PROJECT_STATES])
const health = Type.Enum([...HEALTHS])
const team = Ref('A team’s UUID or identifier.')

export const Project = Closed({
  id: IdText,
  name: Type.String(),
  description: Nullable(Type.Object({}, { additionalProperties: true, description: 'ProseMirror JSON.' })),
  descriptionMarkdown: Type.String(),
  teamId: Nullable(IdText),
  state,
  leadId: Nullable(IdText),
  memberIds: Type.Array(IdText),
  startsOn: Nullable(Day),
  targetOn: Nullable(Day, { description: 'When it is to be completed.' }),
  health: Nullable(health, { description: 'In its last update.' }),
  createdAt: Time,
  updatedAt: Time
})
const { description, descriptionMarkdown: _, ...row } = Project.properties
export const ProjectRow = Closed(row)
export const WrittenProject = Closed(
  { ...Project.properties, description: Type.Optional(description) },
  { description: 'It contains `description` only with `Prefer: return=representation`.' }
)
export const View = Closed({
  view: Type.Optional(Type.Enum(['list', 'full'], { default: 'full', description: '`list`: without descriptions.' }))
})
const account = Ref('A person or agent: id, name, e-mail address or `me`.')
const fields = {
  name: Line(200),
  descriptionMarkdown: Nullable(Markdown),
  teamId: Nullable(team),
  state,
  leadId: Nullable(account),
  memberIds: Type.Array(account, { maxItems: MAX_MEMBERS, description: 'All of them.' }),
  startsOn: Nullable(Day),
  targetOn: Nullable(Day)
}
const others = {
  description: Type.Optional(RawRichText),
  team: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same by identifier or name; `teamId` wins.' })
  )
}
export const NewProject = Closed({ ...optional(fields), ...others, name: fields.name })
export const ProjectChanges = Closed({ ...changesOf(Project, fields), ...others })

const name = Line(200)
const projectId = Ref('The UUID of a project.')
const date = Nullable(Day, { description: 'When it is to be reached.' })
const issueCounts = {
  total: Type.Integer({ description: 'Issues, without canceled ones.' }),
  completed: Type.Integer()
}
export const Milestone = Closed({
  id: IdText,
  projectId: IdText,
  name,
  date,
  issues: Closed(issueCounts),
  createdAt: Time
})
export const OfProject = Closed({ projectId: Type.Optional(IdText) })
export const NewMilestone = Closed({ projectId, name, date: Type.Optional(date) })
export const MilestoneChanges = Closed(changesOf(Milestone, { name, date }))

const bodyMarkdown = Type.String({ minLength: 1, maxLength: MAX_UPDATE_LENGTH, description: 'Markdown.' })
export const Update = Closed({
  id: IdText,
  projectId: IdText,
  health,
  body: Type.Object({}, { additionalProperties: true, description: 'ProseMirror JSON.' }),
  bodyMarkdown: Type.String(),
  createdById: IdText,
  createdAt: Time,
  updatedAt: Time
})
const { body, ...shortUpdate } = Update.properties
export const WrittenUpdate = Closed(
  { ...shortUpdate, body: Type.Optional(body) },
  { description: 'It contains `body` only with `Prefer: return=representation`.' }
)
export const UpdatesQuery = Closed({
  projectId: IdText,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_UPDATES, default: MAX_UPDATES }))
})
export const NewUpdate = Closed({ projectId, health, bodyMarkdown })
export const UpdateChanges = Closed(changesOf(Update, { health, bodyMarkdown }))

export const Progress = Closed({
  projectId: IdText,
  ...issueCounts,
  byCategory: Closed(Object.fromEntries(STATE_CATEGORIES.map(category => [category, Type.Integer()]))),
  criteria: Closed({ met: Type.Integer(), total: Type.Integer() }),
  expectedOn: Type.Optional(
    Type.String({ format: 'date', description: 'When it is completed at the pace of the last four weeks.' })
  )
})

export const ContextMilestone = Closed({ id: IdText, name: Type.String(), date: Type.Optional(Day) })
