import { Type } from 'typebox'
import { Closed, IdText, Line, Nullable, optional, previously, Ref, Time } from '../../core/api/schemas.ts'
import { ORDERS } from '../issues/contract.ts'
import { GROUPS, LAYOUTS } from './contract.ts'

/** Maximum characters of a view's filters as JSON. */
export const MAX_FILTERS_LENGTH = 16_384
export const MAX_FAVOURITES = 200

const Filters = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'As of POST /v1/issues/filter, and checked as there. `me` is whoever reads the view. A name that is ' +
      'gone later makes its listing a 400.'
  }
)
const Group = Type.Enum([...GROUPS])
const Values = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 })
const ClosedWithinDays = Type.Integer({
  minimum: 0,
  maximum: 3650,
  description: 'Issues that were closed earlier are left out; null: none is.'
})

const always = {
  name: Line(100),
  filters: Filters,
  orderBy: Type.Enum([...ORDERS]),
  layout: Type.Enum([...LAYOUTS]),
  isShared: Type.Boolean({ description: 'With the workspace; false: only its owner sees it.' }),
  properties: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: 50,
    description: 'The shown properties, in order; empty: those of the layout.'
  }),
  hiddenGroups: Values,
  collapsedGroups: Values
}
const { name, ...leftOut } = always
const icon = Line(50, { description: 'An emoji, or the name of a symbol.' })
const ownFields = optional({ icon, groupBy: Group, subGroupBy: Group, closedWithinDays: ClosedWithinDays })

export const View = Closed({
  id: IdText,
  ...always,
  ...ownFields,
  teamId: Type.Optional(IdText),
  owner: Closed({ id: IdText, fullname: Type.String() }),
  createdAt: Time,
  updatedAt: Time
})

export const storedFields = { ...optional(leftOut), ...ownFields }
const fields = {
  ...always,
  icon: Nullable(icon),
  groupBy: Nullable(Group),
  subGroupBy: Nullable(Group),
  closedWithinDays: Nullable(ClosedWithinDays),
  teamId: Nullable(Ref('Its team’s UUID or identifier; null: all teams.'))
}
export const NewView = Closed({ ...optional(fields), name })
export const ViewChanges = Closed({
  ...optional(fields),
  previous: previously(View, ['name', 'filters', 'orderBy', 'layout', 'isShared'])
})

export const favouriteSchemas = (types: readonly string[]) => {
  const type = Type.Enum([...types])
  return {
    Favourites: Type.Array(
      Closed({
        type,
        id: IdText,
        name: Type.String(),
        key: Type.Optional(Type.String({ description: 'Of an issue.' }))
      })
    ),
    NewFavourites: Closed({
      favourites: Type.Array(Closed({ type, id: IdText }), {
        maxItems: MAX_FAVOURITES,
        description: 'All of them, in their order.'
      })
    })
  }
}
