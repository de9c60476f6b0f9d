import { Type } from 'typebox'
import { PreferHeader } from '../../core/api/http.ts'
import { Markdown, RawRichText } from '../../core/api/text.ts'
import { Closed, IdText, Line, Nullable, previously, Ref, Time } from '../../core/api/schemas.ts'

export const tags = ['projects']
export const params = Closed({ id: IdText })
export const headers = Type.Object(PreferHeader)

const team = Ref('A team’s UUID or identifier.')
const text = { description: Type.Optional(RawRichText), descriptionMarkdown: Type.Optional(Nullable(Markdown)) }

export const Project = Closed({
  id: IdText,
  name: Type.String(),
  description: Nullable(Type.Object({}, { additionalProperties: true, description: 'ProseMirror JSON.' })),
  descriptionMarkdown: Type.String(),
  teamId: Nullable(IdText),
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
const ofTeam = {
  teamId: Type.Optional(Nullable(team)),
  team: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same by identifier or name; `teamId` wins.' })
  )
}
export const NewProject = Closed({ name: Line(200), ...text, ...ofTeam })
export const ProjectChanges = Closed({
  name: Type.Optional(Line(200)),
  ...text,
  ...ofTeam,
  previous: previously(Project, ['name', 'descriptionMarkdown', 'teamId'])
})

export const Cycle = Closed({
  id: IdText,
  name: Type.String(),
  teamId: IdText,
  startsAt: Time,
  endsAt: Time,
  createdAt: Time
})
export const NewCycle = Closed({ name: Line(200), teamId: team, startsAt: Time, endsAt: Time })
export const CycleChanges = Closed({
  name: Type.Optional(Line(200)),
  startsAt: Type.Optional(Time),
  endsAt: Type.Optional(Time),
  previous: previously(Cycle, ['name', 'startsAt', 'endsAt'])
})
