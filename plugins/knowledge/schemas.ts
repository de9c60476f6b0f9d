import { Type } from 'typebox'
import { changesOf, Closed, IdText, Line, Nullable, optional, Ref, Time } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import { DOUBTS, KINDS, STANDINGS, STATUSES } from './contract.ts'

export const tags = ['knowledge']
export const params = Closed({ id: IdText })

export const DEFAULT_BUDGET = 1_500

const content = Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S', description: 'One fact, in markdown.' })
export const Kind = Type.Enum([...KINDS])
const Tags = Type.Array(Line(50), { maxItems: 20, uniqueItems: true })
const fields = {
  content,
  kind: Kind,
  tags: Tags,
  teamId: Nullable(Ref('A team’s UUID or identifier.')),
  projectId: Nullable(IdText),
  issueId: Nullable(Ref('An issue’s UUID or key.')),
  expiresAt: Nullable(Time)
}

export const record = Type.Boolean({
  default: true,
  description: '`false`: a person reads, and nothing counts as served; agents may not send it.'
})

export const rich = Type.Boolean({
  default: false,
  description: '`true`: each entry has its content as `body`, too, in ProseMirror JSON.'
})

export const NewEntry = Closed({
  ...optional(fields),
  content,
  supersedesId: Type.Optional(IdText),
  force: Type.Optional(Type.Boolean({ description: 'Store it although the same fact is known.' }))
})
const Doubt = Type.Enum([...DOUBTS], {
  description: 'Its issue has got another description since, or was opened again: check whether it still holds.'
})
const Standing = Closed(
  {
    helped: Type.Integer({ description: 'Accounts that said so, once for each issue.' }),
    wrong: Type.Integer(),
    completed: Type.Integer({ description: 'Issues that it was served for, by how they ended.' }),
    canceled: Type.Integer(),
    reopened: Type.Integer()
  },
  { description: 'What became of it.' }
)
export const Entry = Closed({
  id: IdText,
  content: Type.String(),
  body: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'The content as ProseMirror JSON, if `rich` is sent.' })
  ),
  kind: Kind,
  tags: Type.Array(Type.String()),
  teamId: Nullable(IdText),
  projectId: Nullable(IdText),
  issueId: Nullable(IdText),
  createdBy: Closed({ id: IdText, fullname: Type.String() }),
  createdAt: Time,
  supersedesId: Nullable(IdText),
  status: Type.Enum([...STATUSES]),
  expiresAt: Nullable(Time),
  doubt: Nullable(Doubt),
  standing: Standing
})
const status = Type.Enum(['ACTIVE', 'DISPUTED'], {
  description: 'Anyone who may write may dispute an entry, or settle the dispute.'
})
export const EntryChanges = Closed(changesOf(Entry, { ...fields, status }))
export const StoredEntry = Closed({
  ...Entry.properties,
  similar: Type.Optional(
    Type.Array(Closed({ id: IdText, kind: Kind, content: Type.String() }), {
      description: 'Entries that say something like it, most like first; absent when there are none.'
    })
  )
})
export const Hit = Closed({ ...Entry.properties, score: Type.Number() })
export const EntrySearch = Closed({
  query: Type.Optional(Type.String({ maxLength: 10_000, description: 'Without it, the newest entries.' })),
  limit: Type.Integer({ default: 10, minimum: 1, maximum: 100 }),
  tags: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Comma-separated; an entry must have all of them.' })
  ),
  teamId: Type.Optional(Ref('A team’s UUID or identifier.')),
  projectId: Type.Optional(IdText),
  kind: Type.Optional(Kind),
  standing: Type.Optional(
    Type.Enum([...STANDINGS], {
      description:
        '`HELPED`: at least once, by marks. `UNHELPED`: served, never helped. `WRONG`: by a mark. `DOUBTED`: to check.'
    })
  ),
  record,
  rich
})
export const ContextQuery = Closed({
  issueId: Type.Optional(Ref('The issue that is about to be worked on: UUID or key.')),
  query: Type.Optional(Type.String({ maxLength: 10_000, description: 'Instead of an issue, or beside it.' })),
  budget: Type.Integer({
    default: DEFAULT_BUDGET,
    minimum: 100,
    maximum: 100_000,
    description: 'Most tokens of the answer, as o200k_base counts.'
  }),
  record
})
export const Context = Closed({
  entries: Type.Array(
    Closed({
      id: IdText,
      kind: Kind,
      content: Type.String(),
      tags: Type.Optional(Type.Array(Type.String())),
      status: Type.Optional(Type.Literal('DISPUTED')),
      doubt: Type.Optional(Doubt),
      helped: Type.Optional(Type.Integer({ description: 'How often it did, by marks; absent: never.' })),
      wrong: Type.Optional(Type.Integer({ description: 'Likewise.' })),
      because: Type.Array(Type.Enum(['issue', 'parent', 'project', 'team', 'label', 'words']), {
        description: 'Its relations to the task.'
      })
    })
  ),
  solved: Type.Array(Closed({ key: Type.String(), title: Type.String(), resolution: Type.String() }), {
    description: 'Similar issues that were solved, and how.'
  }),
  omitted: Type.Object(
    { entries: Type.Integer(), solved: Type.Integer() },
    { description: 'The numbers of items that the budget had no room for.' }
  )
})
const served = {
  id: IdText,
  at: Time,
  token: Closed({ id: IdText, name: Type.String(), account: Closed({ id: IdText, fullname: Type.String() }) }),
  session: Nullable(Type.String()),
  requestId: Type.String({ description: 'The same for all entries of an answer.' })
}
export const Serving = Closed({
  ...served,
  issue: Nullable(
    Closed({
      key: Type.String(),
      title: Type.String(),
      state: Closed({ name: Type.String(), category: Type.Enum([...STATE_CATEGORIES]) })
    }),
    { description: 'The issue that it was served for, as it stands now; null where the request named none.' }
  )
})
export const ServingOfIssue = Closed({
  ...served,
  entry: Closed({ id: IdText, kind: Kind, content: Type.String() })
})
export const ServingsQuery = Closed({ limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }) })
export const issueParams = Closed({ issueId: Ref('The issue’s UUID or key.') })
