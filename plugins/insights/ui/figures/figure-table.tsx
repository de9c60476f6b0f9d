import type { ReactNode } from 'react'
import type { OpenIssues } from '../address.ts'
import type { Group } from '../data.ts'
import type { ShownFigure } from '../values/shown-figures.ts'
import { FigureButton } from './figure-button.tsx'
import styles from './table.module.css'

interface FigureTableProps {
  named: { 'aria-label': string } | { 'aria-labelledby': string }
  head: string
  groups: readonly Group[]
  columns: readonly ShownFigure[]
  nameOf: (group: Group, at: number) => string
  rowHead: (group: Group, at: number) => ReactNode
  /** Undefined: the numbers are text. */
  onOpen: OpenIssues | undefined
}
export const FigureTable = ({ named, head, groups, columns, nameOf, rowHead, onOpen }: FigureTableProps) => (
  <table className={styles['table']} {...named}>
    <thead>
      <tr>
        <th scope="col">{head}</th>
        {columns.map(({ title }) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {groups.map((group, at) => (
        <tr key={group.id}>
          <th scope="row">{rowHead(group, at)}</th>
          {columns.map(shown => (
            <td key={shown.title}>
              {onOpen ? (
                <FigureButton shown={shown} figures={group} group={group.id} name={nameOf(group, at)} onOpen={onOpen} />
              ) : (
                shown.valueOf(group)?.text
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
