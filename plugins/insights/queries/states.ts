import { sql, type RawBuilder } from 'kysely'
import { statesByName, type StateCategory, type TeamState } from '../../workspace/contract.ts'

/** The former and the new state of a row `h` of `issue_change`, over the row `issue`. */
type End = 'from' | 'to'

/**
 * Conditions on the categories of states. Changes of older releases have only the names of states, which are those of
 * the issue's team; what has no such name has no category.
 */
export interface Categories {
  /** True if an end of the change `h` has one of the categories; never null. */
  changeHas(end: End, ...categories: StateCategory[]): RawBuilder<boolean>
  /** Of what `changeHas` is true, this is, too; it needs no issue. */
  changeMayHave(end: End, ...categories: StateCategory[]): RawBuilder<boolean>
  /** True if the issue has one of them now. */
  issueHas(...categories: StateCategory[]): RawBuilder<boolean>
}

export function categoriesOf(states: readonly TeamState[]): Categories {
  const idsOf = (categories: readonly StateCategory[]) =>
    states.filter(({ category }) => categories.includes(category)).map(({ id }) => id)
  const stateNamed = statesByName(states)
  return {
    changeHas(end, ...categories) {
      const [id, name] = [sql.ref(`h.${end}_id`), sql.ref(`h.${end}_name`)]
      const names = [...stateNamed].flatMap(([key, { category }]) => (categories.includes(category) ? [key] : []))
      return sql<boolean>`(case when ${id} is not null then ${id} = any(${idsOf(categories)}::uuid[])
        else coalesce(issue.team_id || ' ' || ${name} = any(${names}::text[]), false) end)`
    },
    changeMayHave(end, ...categories) {
      const id = sql.ref(`h.${end}_id`)
      return sql<boolean>`(${id} is null or ${id} = any(${idsOf(categories)}::uuid[]))`
    },
    issueHas: (...categories) => sql<boolean>`issue.state_id = any(${idsOf(categories)}::uuid[])`
  }
}
