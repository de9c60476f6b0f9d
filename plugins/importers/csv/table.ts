import type { Attachment, DataRecord, ImportMap, ImportSource, SourceInput } from '../contract.ts'
import { omittedIssue } from '../values/marks.ts'
import { isAmbiguous, makeOrderCount, parseTime, type DateOrder } from '../values/times.ts'
import { textOf, valueFor } from '../values/values.ts'
import { CSV_FIELDS, CSV_LISTS, CSV_TIMES, csvIssue, markOf, type CsvField, type CsvValues } from './issue.ts'
import { csvRows } from './rows.ts'

const MARK_COLUMNS: Record<string, CsvField> = {
  confidential: 'restricted',
  private: 'restricted',
  restricted: 'restricted',
  'security level': 'restricted',
  archived: 'archived',
  'archived at': 'archived'
}

interface Table {
  name: string
  summary: string
  /** By lowercase name. */
  columns: Record<string, CsvField>
  /** True if a key such as `ENG-12` wins over the name of the team. Default: false. */
  hasTeamInKey?: boolean
  cellText?(cell: string): string
  attachmentsOf?(description: string): Attachment[]
  tokenVariable?: string
  access?: NonNullable<ImportSource['access']>
}

export const tableSource = ({
  columns,
  hasTeamInKey = false,
  cellText,
  attachmentsOf,
  ...source
}: Table): ImportSource => ({
  ...source,
  keysInTexts: /^[a-z][a-z0-9_]*-\d+$/i,
  async *read(input) {
    let row = 0
    const fieldOf = fieldsOf(columns, input.map)
    const orders = await readOrders(input, fieldOf)
    for await (const read of csvRows(input.place)) {
      const { where } = read
      row++
      if ('problem' in read) {
        yield read
        continue
      }
      const cells = cellText ? read.cells.map(cellText) : read.cells
      const values = withTimes(valuesOf({ ...read, cells }, fieldOf, input), orders, where, input)
      const omitted = omittedIssue(markOf(values), [values.id, values.key].map(textOf), where, input)
      if (omitted !== undefined) {
        yield omitted
        continue
      }
      for (const record of csvIssue({ values, where, row, hasTeamInKey }, input)) {
        if (typeof record === 'string') yield { where, problem: record }
        else yield { where, record: withAttachments(record, attachmentsOf) }
      }
    }
  }
})

function withAttachments(record: DataRecord, attachmentsOf: Table['attachmentsOf']) {
  const text = record['descriptionMarkdown']
  const attachments = record.kind === 'issue' && typeof text === 'string' ? (attachmentsOf?.(text) ?? []) : []
  return attachments.length === 0 ? record : { ...record, attachments }
}

type Orders = ReadonlyMap<CsvField, DateOrder | undefined>
type FieldOf = (column: string) => CsvField | undefined

function fieldsOf(columns: Table['columns'], map: ImportMap): FieldOf {
  return column => {
    const target = valueFor(map.columns, column)
    if (target === undefined) return valueFor({ ...MARK_COLUMNS, ...columns }, column.toLowerCase())
    const field = CSV_FIELDS.find(known => known === target)
    if (field === undefined) {
      throw new Error(`The map's column '${column}' is '${target}', which is none of ${CSV_FIELDS.join(', ')}.`)
    }
    return field
  }
}

/** From the values of each date column. */
async function readOrders({ place, map }: SourceInput, fieldOf: FieldOf): Promise<Orders> {
  const counts = new Map([...CSV_TIMES].map(field => [field, makeOrderCount()]))
  for await (const read of csvRows(place)) {
    if ('problem' in read) continue
    for (const [n, cell] of read.cells.entries()) {
      const field = fieldOf(read.columns[n]!)
      if (field !== undefined) counts.get(field)?.add(cell)
    }
  }
  return new Map([...counts].map(([field, count]) => [field, count.order() ?? map.dateOrder]))
}

function withTimes(values: CsvValues, orders: Orders, where: string, { leaveOut }: SourceInput): CsvValues {
  const read = { ...values }
  for (const field of CSV_TIMES) {
    const text = values[field]
    if (text === undefined) continue
    const time = parseTime(text, orders.get(field))
    if (time === undefined) {
      const reason = isAmbiguous(text, orders.get(field))
        ? 'its day and its month cannot be told apart: name their order in `dateOrder` of the map'
        : 'it is no time'
      leaveOut(field, reason, where)
      delete read[field]
    } else read[field] = field === 'dueDate' ? time.day : time.time
  }
  return read
}

/** If several columns are one field, lists are joined. */
function valuesOf(
  { where, columns, cells }: { where: string; columns: readonly string[]; cells: readonly string[] },
  fieldOf: FieldOf,
  { leaveOut }: SourceInput
): CsvValues {
  const values: CsvValues = {}
  for (const [n, cell] of cells.entries()) {
    const column = columns[n]!
    const field = fieldOf(column)
    if (textOf(cell) === undefined) continue
    if (field === undefined) leaveOut(`column ${column}`, 'it has no counterpart', where)
    else if (values[field] === undefined) values[field] = cell
    else if (CSV_LISTS.has(field)) values[field] += `\n${cell}`
    else if (values[field] !== cell) leaveOut(`column ${column}`, `a column before it has another ${field}`, where)
  }
  return values
}
