import type { Layout } from '../contract.ts'

/** Their ids are in `data-property`. */
const PROPERTIES: ReadonlyArray<readonly [id: string, title: string, layouts: readonly Layout[]]> = [
  ['key', 'Key', ['board', 'list']],
  ['state', 'Status', ['list']],
  ['priority', 'Priority', ['board', 'list']],
  ['assignee', 'Assignee', ['board', 'list']],
  ['labels', 'Labels', ['board', 'list']],
  ['dueDate', 'Due date', ['board', 'list']],
  ['updatedAt', 'Updated', ['list']],
  ['comments', 'Comments', ['board']],
  ['criteria', 'Criteria', ['board']]
]
export const propertiesOf = (layout: Layout): Array<{ id: string; title: string }> =>
  PROPERTIES.flatMap(([id, title, layouts]) => (layouts.includes(layout) ? [{ id, title }] : []))

/** The properties that are not shown, for `data-without`. @param shown empty: all are */
export const withoutOf = (layout: Layout, shown: readonly string[]): string | undefined =>
  shown.length === 0
    ? undefined
    : propertiesOf(layout)
        .flatMap(({ id }) => (shown.includes(id) ? [] : [id]))
        .join(' ')
