import { createReadStream } from 'node:fs'
import { NOT_UTF8 } from '../../../lib/util/file-lines.ts'
import { beginningOf, statPlace } from '../io/files.ts'

const MAX_ROW_BYTES = 32 * 1024 * 1024
const SEPARATORS = [',', ';', '\t']

/** At most one cell per column; two columns may have the same name. */
type CsvRow =
  { where: string; columns: readonly string[]; cells: readonly string[] } | { where: string; problem: string }

/** The first row names the columns; unreadable rows are reported and skipped. */
export async function* csvRows(file: string): AsyncGenerator<CsvRow> {
  if ((await statPlace(file)).isFolder) throw new Error(`${file} is a folder: name the CSV file.`)
  const { parse } = await import('csv-parse')
  const { delimiter, fromLine } = await readHead(file)
  const input = createReadStream(file)
  const unreadable: Array<{ where: string; problem: string }> = []
  let isEnded = false
  const parser = parse({
    bom: true,
    delimiter,
    from_line: fromLine,
    info: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // An error would end the stream, including rows that were read before.
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
    } else yield { where, columns, cells: record }
  }
  yield* unreadable
}

/** Declared in the first line, or the most frequent one outside of quotes. */
async function readHead(file: string): Promise<{ delimiter: string; fromLine: number }> {
  const text = await beginningOf(file)
  const named = /^sep=([^\r\n])\r?\n/i.exec(text)?.[1]
  if (named !== undefined) return { delimiter: named, fromLine: 2 }
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)
  const counted = SEPARATORS.map(separator => ({ separator, count: line.split(separator).length }))
  return { delimiter: counted.reduce((most, each) => (each.count > most.count ? each : most)).separator, fromLine: 1 }
}
