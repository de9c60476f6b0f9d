import { Type } from 'typebox'
import { Closed } from '../../../../core/api/schemas.ts'
import { ORDERS } from './extensions.ts'
import { MAX_COUNTED, TOTALS } from './list.ts'

export const NAMED = '`named`: a row of the board with names instead of ids, without what it has not.'
const BOARD = '`board`: a row with all that a card of a board shows, without what it has not.'

export interface FilterParts {
  names: readonly string[]
  hasSavedFilters: boolean
}

const viewId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'A view, by its UUID or name: its filters hold beside those that are sent, and its order is the default. ' +
      'Answers a page.'
  })
)

export const filterOf = ({ names, hasSavedFilters }: FilterParts) =>
  Closed({
    filters: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Conditions by key, all of which hold: `{state: {filterType: "IS", value: [id]}}`; several of one key ' +
            'are a list. States, teams, people, labels and whatever else has a name can be named by it, too; people ' +
            'also by `me`, the reader. Null among the values is none. Days may be words: `-7d`, `friday`. An ' +
            'unknown key, ' +
            `type or name is refused with the list of those that there are. The keys: ${names.join(', ')}.`
        }
      )
    ),
    query: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The same as people type it, beside `filters`: `assignee:me label:bug -state:done due:<7d login`.'
      })
    ),
    workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    orderBy: Type.Optional(
      Type.Enum([...ORDERS], {
        description:
          'Descending, but for `sortOrder`, the order by hand. `priority` goes by its number, `urgency` by what it ' +
          'means: urgent first, none last; `next` has only what is ready, as `pick_up_next` takes it.'
      })
    ),
    view: Type.Optional(Type.Enum(['list', 'board', 'full', 'named'], { description: `${NAMED} ${BOARD}` })),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'The `nextCursor` of the page before, with the same filters and order: the listing goes on in the order ' +
          'that it had when it began. Issues made since are not in it.'
      })
    ),
    total: Type.Optional(
      Type.Enum([...TOTALS], {
        description:
          'How the page tells how many issues match: `exact` (the default) counts them all, however long that takes; ' +
          `\`capped\` counts to ${MAX_COUNTED} and adds \`totalIsExact: false\` where there are more; \`known\` ` +
          'has `total` where nothing must be counted for it: all issues fit on the first page, or their number is ' +
          'kept; `none` leaves `total` out. A listing by cursor is counted on its first page.'
      })
    ),
    ...(hasSavedFilters && { viewId })
  })
