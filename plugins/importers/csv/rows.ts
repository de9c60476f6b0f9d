import { createReadStream } from 'node:fs'
import { NOT_UTF8 } from '../../../core/file-lines.ts'
import { statPlace } from '../files.ts'

/** A row by the names of its columns. */
type CsvRow = ReadonlyMap<string, string>
const MAX_ROW_BYTES = 32 * 1024 * 1024

/** The rows of a CSV file whose first row names the columns; unreadable rows are reported, and the others are read. */
export async function* csvRows(
  file: string
): AsyncGenerator<{ where: string; row: CsvRow } | { where: string; problem: string }> {
  if ((await statPlace(file)).isFolder) throw new Error(`${file} is a folder: name the CSV file.`)
  const { parse } = await import('csv-parse')
  const input = createReadStream(file)
  const unreadable: Array<{ where: string; problem: string }> = []
  let isEnded = false
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // An error would end the stream, and with it rows that were read before.
    skip_records_with_error: true,
    on_skip(error) {
      if (isEnded || error === undefined) return
      const where = `line ${String(error['lines'])}`
      unreadable.push({ where, problem: `it is no CSV, or cut off: ${error.message}` })
      if (error.code !== 'CSV_MAX_RECORD_SIZE') return
      isEnded = true
      input.unpipe(parser)
      parser.end()
    }
  })
  input.on('error', error => parser.destroy(error))
  input.pipe(parser)
  let columns: string[] | undefined
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    const where = `line ${info.lines}`
    if (columns === undefined) columns = record.map(name => name.trim())
    else if (record.some(cell => cell.includes('\uFFFD'))) {
      yield { where, problem: NOT_UTF8 }
    } else if (record.length > columns.length) {
      yield { where, problem: `it has ${record.length} cells, and the first line names ${columns.length}` }
    } else yield { where, row: new Map(record.map((cell, n) => [columns![n]!, cell])) }
  }
  yield* unreadable
}
