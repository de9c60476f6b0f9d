import { newId } from '../../../core/api/database/queries.ts'
import type { BoardFiles, PlacedLine, ToFetch } from '../../transfer/contract.ts'
import type { Attachment, DataRecord, SourceAccess, SourceInput } from '../contract.ts'
import { isAddress } from '../io/files.ts'
import { hasAttachments } from '../values/attachments.ts'
import { compact, isObject, textOf } from '../values/values.ts'
import { withAddresses } from './destinations.ts'
import { Downloads, Unfetchable, type DownloadSettings } from './download.ts'
import { openInside } from './local.ts'
import { nameOfAnswer, shortened } from './names.ts'

interface Options {
  input: Pick<SourceInput, 'place' | 'files' | 'waitFactor' | 'leaveOut'>
  access: SourceAccess
  settings(): DownloadSettings
  toFetch: ToFetch
}

type Outcome = { address: string; line?: PlacedLine } | { problem: string } | 'stays there'

/** Texts name the attachments that are here, and lines of new files follow the record's. */
export async function* withFiles(
  lines: AsyncIterable<PlacedLine>,
  files: BoardFiles | undefined,
  options: Options
): AsyncGenerator<PlacedLine> {
  const fetcher = new Fetcher(files, options)
  try {
    for await (const line of lines) {
      if (hasAttachments(line.text)) yield* fetcher.linesOf(line)
      else yield line
    }
  } finally {
    await fetcher.close()
  }
}

class Fetcher {
  readonly #files: BoardFiles | undefined
  readonly #options: Options
  /** By the attachments' names in the source. */
  readonly #outcomes = new Map<string, Outcome>()
  #downloads: Downloads | undefined

  constructor(files: BoardFiles | undefined, options: Options) {
    this.#files = files
    this.#options = options
  }

  async close(): Promise<void> {
    await this.#downloads?.close()
  }

  async *linesOf({ text, where }: PlacedLine): AsyncGenerator<PlacedLine> {
    const { attachments, ...record } = JSON.parse(text) as DataRecord & { attachments: Attachment[] }
    const addresses = new Map<string, string>()
    const others: PlacedLine[] = []
    for (const attachment of attachments) {
      const place = `${where}, ${attachment.name ?? attachment.url ?? attachment.externalId}`
      const isNew = !this.#outcomes.has(attachment.externalId)
      const outcome = isNew
        ? await this.#outcomeOf(attachment, record, place)
        : this.#outcomes.get(attachment.externalId)!
      this.#outcomes.set(attachment.externalId, outcome)
      if (outcome === 'stays there') continue
      if ('problem' in outcome) {
        if (isNew) others.push({ text: '', where: place, kind: 'file', problem: outcome.problem })
        continue
      }
      if (attachment.url !== undefined) addresses.set(attachment.url, outcome.address)
      if (isNew && outcome.line !== undefined) others.push(outcome.line)
    }
    yield { text: JSON.stringify(withFilesHere(record, addresses)), where }
    yield* others
  }

  async #outcomeOf(attachment: Attachment, record: DataRecord, where: string): Promise<Outcome> {
    const files = this.#files
    if (files === undefined) return 'stays there'
    const { externalId, name = 'file', path, bytes } = attachment
    const known = files.known.get(externalId)
    if (known !== undefined) return known === null ? 'stays there' : { address: known }
    const issue = (record.kind === 'issue' ? record['externalId'] : record['issue']) as string
    if (files.deletedIssues.has(issue)) return 'stays there'
    const { input, toFetch } = this.#options
    if (input.files !== true && (input.files === false || path === undefined)) {
      const reason = 'they stay links to the source; --files brings them'
      if (input.files === undefined && isAddress(input.place)) input.leaveOut('files', reason, where)
      return 'stays there'
    }
    const refusal = files.refusalOf(bytes ?? 0)
    if (refusal !== undefined) return { problem: refusal }
    const id = newId()
    if (files.isDryRun) {
      toFetch.files++
      if (bytes === undefined) toFetch.unknown++
      else toFetch.bytes += bytes
      return { address: files.addressOf(id, name) }
    }
    const kept = await this.#keep(files, attachment)
    if ('problem' in kept) return kept
    const { bytes: length, ...content } = kept
    const file = compact({
      kind: 'file',
      externalId: id,
      sourceId: externalId,
      ...content,
      subjectType: 'issue',
      subject: issue,
      createdBy: attachment.createdBy ?? textOf(record['author']),
      createdAt: attachment.createdAt ?? textOf(record['createdAt'])
    })
    return { address: files.addressOf(id, kept.name), line: { text: JSON.stringify(file), where, bytes: length } }
  }

  async #keep(
    files: BoardFiles,
    attachment: Attachment
  ): Promise<{ name: string; sha256: string; bytes: number } | { problem: string }> {
    const { name, path, url = '' } = attachment
    if (path !== undefined) {
      const opened = await openInside(this.#options.access.folder ?? '', path)
      if (opened === undefined) return { problem: 'it is no file in the folder of the board' }
      return named(name ?? path, await files.keep(opened.file.createReadStream()))
    }
    const { settings, access, input } = this.#options
    this.#downloads ??= new Downloads(settings(), access, input.waitFactor)
    try {
      return await this.#downloads.fetch(url, async ({ headers, chunks }) => {
        const fileName = name ?? nameOfAnswer(headers, url)
        if (/^text\/html\b/i.test(headers['content-type'] ?? '') && !/\.html?$/i.test(fileName)) {
          throw new Unfetchable('a web page is there instead: set a token that may read it')
        }
        return named(fileName, await files.keep(chunks))
      })
    } catch (error) {
      if (!(error instanceof Unfetchable)) throw error
      return { problem: `its content cannot be fetched: ${error.message}` }
    }
  }
}

const named = (name: string, kept: Awaited<ReturnType<BoardFiles['keep']>>) =>
  'refusal' in kept ? { problem: kept.refusal } : { name: shortened(name), ...kept }

/** Without links to files that are here. */
function withFilesHere(record: DataRecord, addresses: ReadonlyMap<string, string>): DataRecord {
  if (addresses.size === 0) return record
  const changed = Object.entries(record).map(([field, value]) => {
    if (field.endsWith('Markdown') && typeof value === 'string') return [field, withAddresses(value, addresses)]
    if (field !== 'links' || !Array.isArray(value)) return [field, value as unknown]
    return [field, value.filter(link => !(isObject(link) && addresses.has(String(link['url']))))]
  })
  return { ...(Object.fromEntries(changed) as Record<string, unknown>), kind: record.kind }
}
