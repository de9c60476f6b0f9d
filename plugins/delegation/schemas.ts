import { Type } from 'typebox'
import { Closed, IdText, Line, Nullable, Ref, Time } from '../../core/api/schemas.ts'
import { OUTPUT_TYPES, REVIEWS, RUN_REASONS, RUN_STATUSES, TIMELINE_TYPES } from './contract.ts'

const Usd = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })
const Prices = Closed({
  inputUsd: Usd('Input that is not read from a cache.'),
  outputUsd: Usd('Output.'),
  cachedUsd: Type.Optional(Usd('Input that is read from a cache; default: as other input.'))
})

const runnerFields = {
  command: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    description: 'The program and its arguments; they are not passed through a shell.'
  }),
  cwd: Type.Optional(Type.String({ minLength: 1, description: 'The folder that it runs in.' })),
  env: Type.Record(Type.String(), Type.String(), {
    default: {},
    writeOnly: true,
    description:
      'Its environment, in addition to PATH, HOME and similar variables. The values are masked in its output.'
  }),
  timeoutSeconds: Type.Integer({
    default: 3600,
    minimum: 1,
    maximum: 604_800,
    description: 'Maximum seconds of one attempt.'
  }),
  concurrency: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 100,
    description: 'Maximum concurrent runs of a server process.'
  }),
  model: Type.Optional(
    Line(80, { minLength: 1, description: 'The model of Codex, which its output does not name; default: codex.' })
  )
}
const Matches = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description }))

export const settings = Closed({
  runner: Type.Optional(
    Closed(runnerFields, { description: 'The command that does the work. Without a runner nothing can be delegated.' })
  ),
  runners: Type.Record(
    Type.String(),
    Closed({
      ...runnerFields,
      labels: Matches('Only for issues with one of these labels.'),
      teams: Matches('Only for issues of these teams, by identifier or name.'),
      agents: Matches('Only for requests of these accounts, by name.')
    }),
    {
      default: {},
      writeOnly: true,
      description:
        'Several runners by name, each with its own queue: {"codex": {"command": ["run-codex"], "concurrency": 2, ' +
        '"labels": ["backend"], "teams": ["ENG"], "agents": ["Planner"]}}. An issue gets the one with most of these ' +
        'conditions, all of which hold, unless the request names another; `runner` is the one called default.'
    }
  ),
  automatic: Type.Optional(
    Closed(
      {
        filters: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Which issues, with the filters of POST /v1/issues/filter.'
        }),
        maxRunsPerDay: Type.Integer({
          default: 20,
          minimum: 1,
          maximum: 10_000,
          description: 'Maximum runs that it requests in 24 hours, in each workspace.'
        })
      },
      {
        description:
          'Delegates ready issues that are to do without a request, each once, the best first, ' +
          'as many at a time as the runners allow, per workspace: {"filters": {"label": {"filterType": "INCLUDES", ' +
          '"value": ["auto"]}}}.'
      }
    )
  ),
  prices: Type.Record(Type.String(), Prices, {
    default: {},
    description:
      'Dollars for a million tokens of each model, for reports of usage without a cost: {"a-model": {"inputUsd": 3, ' +
      '"outputUsd": 15, "cachedUsd": 0.3}}.'
  }),
  budget: Closed(
    {
      perRunUsd: Type.Optional(Usd('What a run may cost.')),
      perIssueUsd: Type.Optional(Usd('What the work on an issue may cost, where its budgetUsd does not say it.')),
      perDayUsd: Type.Optional(Usd('What the runs of a workspace may cost on a day, in UTC.')),
      perRunTokens: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Input that is not read from a cache, and output, of a run.' })
      )
    },
    { default: {}, description: 'A run that reaches one of these is ended, and none begins beyond them.' }
  ),
  agentName: Type.String({
    default: 'Tracker agent',
    minLength: 1,
    maxLength: 200,
    description: 'The name with which the service’s own agent is created.'
  }),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'The TRACKER_URL of the runner; default: this server’s own address.'
    })
  ),
  maxDepth: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10,
    description: 'How deep runs may delegate sub-issues of their own: 0 not at all, 1 once, without a run below it.'
  }),
  attempts: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 20,
    description: 'Maximum attempts at a run whose server dies.'
  }),
  leaseSeconds: Type.Integer({
    default: 30,
    minimum: 2,
    maximum: 3600,
    description: 'Seconds without a renewal by its server after which a run counts as lost.'
  }),
  outputKeepDays: Type.Integer({
    default: 90,
    minimum: 1,
    maximum: 3650,
    description: 'Days for which the output of runs that are over is kept; the runs and their summaries stay.'
  }),
  killSeconds: Type.Integer({
    default: 5,
    minimum: 0,
    maximum: 60,
    description: 'Seconds from TERM to KILL, in which a runner can end.'
  })
})

const Who = Closed({ id: IdText, fullname: Type.String() })
const Status = Type.Enum([...RUN_STATUSES])

const RunnerName = Type.String({
  maxLength: 40,
  description: 'The name of a runner that matches the issue (`GET /v1/agent_runners`); default: the best one.'
})
export const RunnersQuery = Closed({ issueId: Ref('The issue’s UUID or key.') })
export const RunnerNames = Type.Array(Closed({ name: Type.String() }))

export const NewRun = Closed({
  issueId: Ref('The issue’s UUID or key.'),
  instructions: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Instructions for the agent in addition to the issue; markdown.' })
  ),
  runner: Type.Optional(RunnerName)
})
export const Retry = Closed({
  instructions: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: 'A hint for the agent in addition to the instructions of the run before; markdown.'
    })
  ),
  runner: Type.Optional(RunnerName)
})
export const ResultLink = Closed({
  branch: Type.Optional(
    Type.String({ pattern: '^[^\\s\\p{C}]+$', maxLength: 255, description: 'The branch with its work.' })
  ),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s\\p{C}]+$',
      maxLength: 2_000,
      description: 'Of a pull request, for example.'
    })
  )
})
export const Acceptance = Closed({
  override: Type.Optional(
    Type.Boolean({ description: 'Complete the issue although its team asks more of its criteria; people only.' })
  )
})
export const Return = Closed({
  text: Type.String({ minLength: 1, maxLength: 20_000, description: 'What is missing or wrong; markdown.' })
})
export const Run = Closed({
  id: IdText,
  issueId: IdText,
  issueKey: Type.String(),
  status: Status,
  attempt: Type.Integer({ description: 'The number of attempts so far.' }),
  instructions: Nullable(Type.String()),
  requestedBy: Who,
  agent: Who,
  createdAt: Time,
  startedAt: Nullable(Time),
  finishedAt: Nullable(Time),
  error: Nullable(Closed({ reason: Type.Enum([...RUN_REASONS]), message: Type.String() })),
  runner: Type.String({ description: 'The name of its runner.' }),
  summary: Nullable(Type.String({ description: 'The last lines that the runner wrote to standard output.' })),
  retryOf: Nullable(Type.String({ ...IdText, description: 'The run that this one tries again.' })),
  result: Nullable(
    Closed(
      {
        branch: Nullable(Type.String()),
        url: Nullable(Type.String()),
        at: Time,
        review: Nullable(Type.Enum([...REVIEWS])),
        reviewedBy: Nullable(Who),
        reviewedAt: Nullable(Time)
      },
      { description: 'The work that it has linked, and what came of its review.' }
    )
  )
})
export const RunFilter = Closed({
  issueId: Type.Optional(Ref('The issue’s UUID or key.')),
  status: Type.Optional(Type.String({ maxLength: 100, description: `Comma-separated: ${RUN_STATUSES.join(', ')}.` })),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
  before: Type.Optional(Type.String({ ...IdText, description: 'The id of a run: only older ones.' }))
})
export const RunEvent = Closed({
  seq: Type.Integer(),
  at: Time,
  type: Type.Enum([...OUTPUT_TYPES]),
  text: Type.String()
})
export const RunStep = Closed({
  seq: Type.Integer(),
  at: Time,
  type: Type.Enum([...TIMELINE_TYPES], {
    description: '`message`: of the agent; `tool`: a call; `file`: a changed one; `failure`: of a tool or the client.'
  }),
  name: Nullable(Type.String({ description: 'The tool, or what happened to the file.' })),
  text: Type.String({ description: 'The message, the argument that says most, the path, or the reason.' })
})
export const EventPage = Closed({
  after: Type.Integer({ default: 0, minimum: 0, description: 'The `seq` of the last event that you have.' }),
  limit: Type.Integer({ default: 200, minimum: 1, maximum: 1000 })
})
