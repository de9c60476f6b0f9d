import type { ImportSource } from '../contract.ts'
import { omittedIssue } from '../marks.ts'
import { textOf, valueFor } from '../values.ts'
import { CSV_FIELDS, csvIssue, markOf, type CsvField, type CsvValues } from './issue.ts'
import { csvRows } from './rows.ts'

/** Columns by which trackers say that an issue is not for all. */
const MARK_COLUMNS: Record<string, CsvField> = {
  confidential: 'restricted',
  private: 'restricted',
  restricted: 'restricted',
  'security level': 'restricted',
  archived: 'archived',
  'archived at': 'archived'
}

/** A source whose issues are rows of a CSV file. @param columns fields by names of columns in lower case */
export function tableSource({
  name,
  summary,
  columns
}: {
  name: string
  summary: string
  columns: Record<string, CsvField>
}): ImportSource {
  return {
    name,
    summary,
    async *read(input) {
      const { place, map, leaveOut } = input
      let row = 0
      const fieldOf = (column: string): CsvField | undefined => {
        const asked = valueFor(map.columns, column)
        if (asked === undefined) return valueFor({ ...MARK_COLUMNS, ...columns }, column.toLowerCase())
        const field = CSV_FIELDS.find(known => known === asked)
        if (field === undefined) {
          throw new Error(`The map's column '${column}' is '${asked}', which is none of ${CSV_FIELDS.join(', ')}.`)
        }
        return field
      }
      for await (const { where, ...read } of csvRows(place)) {
        row++
        if ('problem' in read) {
          yield { where, problem: read.problem }
          continue
        }
        const values: CsvValues = {}
        for (const [column, cell] of read.row) {
          const field = fieldOf(column)
          if (field !== undefined) values[field] ??= cell
          else if (textOf(cell) !== undefined) leaveOut(`column ${column}`, 'it has no counterpart', where)
        }
        const omitted = omittedIssue(markOf(values), [values.id, values.key].map(textOf), where, input)
        if (omitted !== undefined) {
          yield omitted
          continue
        }
        for (const record of csvIssue(values, { where, row }, input)) {
          yield typeof record === 'string' ? { where, problem: record } : { where, record }
        }
      }
    }
  }
}
