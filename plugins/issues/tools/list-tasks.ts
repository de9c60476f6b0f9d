import { Type, type Static, type TObject } from 'typebox'
import { filtersOfTerms, mergeFilters, type Filters } from '../../../lib/filter/filters.ts'
import { parseFilter } from '../../../lib/filter/grammar.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { readScope } from '../../../core/api/scopes.ts'
import { tool, ToolError } from '../../mcp/contract.ts'
import { STATE_CATEGORIES } from '../../workspace/contract.ts'
import type { Field } from '../fields/field.ts'
import { ORDERS } from '../queries/filter/extensions.ts'
import { filtersOf } from '../write/values.ts'
import { argument, fieldArguments, givenFields } from './field-arguments.ts'
import { Relations, relationsToFind } from './relations.ts'
import { rowOfTask } from './task.ts'

/** The manual order says nothing about the next task. */
const TOOL_ORDERS = ORDERS.filter(order => order !== 'sortOrder' && order !== 'next')

const OPEN_CATEGORIES = STATE_CATEGORIES.filter(category => category !== 'COMPLETED' && category !== 'CANCELED')

export interface ListParts {
  fields: readonly Field[]
  hasViews: boolean
  now(): Date
}

export const readHints = { readOnly: true, destructive: false, idempotent: true }

const own = {
  relations: Relations('As BLOCKED or BLOCKED ENG-2.'),
  stateCategory: Type.Optional(
    Type.Array(Type.Enum([...STATE_CATEGORIES]), { description: 'Only these; default: the open ones.' })
  ),
  filter: argument('As assignee:me,none -label:bug due:<7d login.', { reads: 'name' }),
  view: argument('A saved one.', { reads: 'name' }),
  ready: Type.Optional(Type.Boolean({ description: 'Can be begun now.' })),
  orderBy: Type.Optional(Type.Enum(TOOL_ORDERS, { description: 'Default: urgency.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows.' })),
  cursor: argument('The next of the answer before.', { reads: 'name' })
}
type ListArguments = Static<TObject<typeof own>> & Readonly<Record<string, unknown>>

function typedFilters(text = ''): Filters {
  const { terms, mistakes } = parseFilter(text)
  if (mistakes.length > 0) {
    throw new ToolError(mistakes.map(({ message }) => `arguments.filter: ${message}`).join(' '))
  }
  return filtersOfTerms(terms)
}

const STATE_KEYS = ['state', 'status', 'stateCategory', 'closedWithinDays']

const TIMES = ['updatedAt', 'createdAt']
const LABELS = ['label', 'labels']

const areTimesMeant = ({ orderBy }: ListArguments, filters: Filters): boolean =>
  TIMES.some(time => time === orderBy || filters[time] !== undefined)

type Row = Readonly<Record<string, unknown>>

/** The state that most rows have is said once, where that costs less. */
function withoutCommonState(rows: readonly Row[]): { state?: string; tasks: readonly Row[] } {
  const [most] = [...Map.groupBy(rows, ({ state }) => state).entries()].sort(([, a], [, b]) => b.length - a.length)
  if (most === undefined || most[1].length < MIN_IN_STATE) return { tasks: rows }
  const state = String(most[0])
  return { state, tasks: rows.map(({ state: own, ...row }) => (own === state ? row : { ...row, state: own })) }
}
const MIN_IN_STATE = 3

/** All conditions; without a state or a view, only open tasks are meant. @throws ToolError */
function filtersOfArguments({ fields, now }: ListParts, args: ListArguments): Filters {
  const { stateCategory, relations, filter, view, ready } = args
  const typed = typedFilters(filter)
  const named = filtersOf(fields, givenFields(fields, args, now, null))
  const areOpenMeant = view === undefined && !STATE_KEYS.some(key => typed[key] ?? named[key])
  const categories = stateCategory ?? (areOpenMeant ? OPEN_CATEGORIES : undefined)
  return mergeFilters(typed, named, {
    ...(categories !== undefined && { stateCategory: { filterType: 'IS', value: categories } }),
    ...(relations !== undefined && { relation: { filterType: 'IS', value: relationsToFind(relations) } }),
    ...(ready !== undefined && { isReady: ready })
  })
}

export const listTasks = (parts: ListParts) =>
  tool({
    name: 'list_tasks',
    description: 'Find work: open tasks, most urgent first. Returns rows, total and next.',
    input: Closed({ ...fieldArguments(parts.fields, 'list'), ...own }),
    scope: readScope,
    hints: readHints,
    // The filter has them, too; without saved views, REST refuses `view`.
    unlisted: ['due', 'estimate', 'cycle', 'relations', 'stateCategory', ...(parts.hasViews ? [] : ['view'])],
    core: {
      omits: [
        ...['labels', 'priority', 'due', 'estimate', 'project', 'cycle', 'relations', 'stateCategory', 'orderBy'],
        ...['filter', 'view']
      ]
    },
    restNames: { viewId: 'view' },
    readsAhead: true,
    listField: 'tasks',
    async handle(args, { rest }) {
      const { view: viewId, ready, limit = 10, cursor } = args
      // Ready issues are listed in the order in which they are picked up; a view has its own order.
      const ownOrder = viewId === undefined ? (ready === true ? 'next' : 'urgency') : undefined
      const orderBy = args.orderBy ?? ownOrder
      const filters = filtersOfArguments(parts, args)
      const { issues, total, totalIsExact, nextCursor } = await rest<{
        issues: Row[]
        total: number
        totalIsExact?: false
        nextCursor: string | null
      }>('POST', '/v1/issues/filter', {
        ...{ filters, orderBy, viewId, cursor },
        view: 'named',
        perPage: limit,
        total: 'capped'
      })
      const hasTimes = areTimesMeant(args, filters)
      const areLabelsMeant = LABELS.some(key => filters[key] !== undefined)
      const rows = issues.map(({ labels, ...issue }) => ({
        ...rowOfTask(issue, hasTimes),
        ...(areLabelsMeant && { labels })
      }))
      return {
        ...withoutCommonState(rows),
        total,
        ...(totalIsExact === false && { totalIsExact }),
        next: nextCursor
      }
    }
  })
