import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { decode, NOT_UTF8 } from '../../../lib/util/file-lines.ts'
import type { DataRecord, ImportSource, SourceRecord, Unreadable } from '../contract.ts'
import { withFilesBeside } from '../attachments/local.ts'
import { filesIn, firstLine, jsonValues, statPlace } from '../io/files.ts'
import { compact, isObject, objectsOf, textOf, type JsonObject } from '../values/values.ts'
import { readDocument, readIssueText, type MarkdownComment, type MarkdownIssue } from './document.ts'
import { RecordNames } from './names.ts'
import { BOARD_FILE } from './write.ts'

const MAX_FILE_BYTES = 64 * 1024 * 1024
const KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-([1-9]\d{0,9})$/

/** They wait until the issues that they name are known. */
interface Relations {
  /** By key. */
  ids: Map<string, string>
  waiting: Array<{ where: string; key: string; record: DataRecord }>
}

export const markdown: ImportSource = {
  name: 'markdown',
  summary: 'a folder that export --to markdown has written',
  access: async ({ place }) => ({ folder: place }),
  async *read({ place }) {
    if (!(await statPlace(place)).isFolder) throw new Error(`${place} is no folder: name one that export has written.`)
    const names = new RecordNames()
    yield* readBoard(join(place, BOARD_FILE), names)
    const relations: Relations = { ids: new Map(), waiting: [] }
    for await (const file of filesIn(place, /\.md$/i)) {
      const where = relative(place, file)
      const issue = await readIssueFile(file)
      if (typeof issue === 'string') yield { where, problem: issue }
      else {
        for (const each of recordsOf(issue, where, names, relations)) {
          yield 'problem' in each ? each : { ...each, record: await withFilesBeside(each.record, place, where) }
        }
      }
    }
    for (const { where, key, record } of relations.waiting) {
      const relatedIssue = relations.ids.get(key)
      yield relatedIssue === undefined
        ? { where, problem: `there is no issue '${key}'` }
        : { where, record: { ...record, relatedIssue } }
    }
  }
}

async function* readBoard(file: string, names: RecordNames): AsyncGenerator<SourceRecord | Unreadable> {
  const isThere = await stat(file).then(
    () => true,
    () => false
  )
  if (!isThere) return
  for await (const read of jsonValues(file)) {
    const where = `${BOARD_FILE}, ${read.where}`
    if ('problem' in read) yield { where, problem: read.problem }
    else if (!isObject(read.value) || typeof read.value['kind'] !== 'string') yield { where, problem: 'it has no kind' }
    else if (read.value['kind'] === 'team' && !isTeam(read.value)) yield { where, problem: 'it is no team with states' }
    else {
      names.add(read.value)
      yield { where, record: { ...read.value, kind: read.value['kind'] } }
    }
  }
}

/** The import validates teams only after they are complete. */
const isTeam = ({ identifier, states }: JsonObject): boolean =>
  typeof identifier === 'string' &&
  Array.isArray(states) &&
  states.every(state => isObject(state) && textOf(state['name']))

async function readIssueFile(file: string): Promise<MarkdownIssue | string> {
  if ((await stat(file)).size > MAX_FILE_BYTES) return `it is longer than ${MAX_FILE_BYTES} bytes`
  const text = decode(await readFile(file))
  if (text === undefined) return NOT_UTF8
  try {
    return readIssueText(text) ?? 'it has no front matter'
  } catch (error) {
    return `it cannot be read: ${firstLine(error)}`
  }
}

function* recordsOf(
  { fields, text, comments }: MarkdownIssue,
  where: string,
  names: RecordNames,
  { ids, waiting }: Relations
): Generator<SourceRecord | Unreadable> {
  const { key, id, parent, relations, document, ...rest } = names.withIds(fields)
  const [, team, number] = KEY.exec(textOf(key) ?? '') ?? []
  if (team === undefined) {
    yield { where, problem: 'its front matter has no key such as ENG-12' }
    return
  }
  const issue = textOf(id) ?? String(key)
  ids.set(String(key).toUpperCase(), issue)
  const related = [
    ...(parent === undefined ? [] : [{ type: 'PARENT', issue: parent }]),
    ...objectsOf(relations)
  ] satisfies JsonObject[]
  for (const { issue: other, ...relation } of related) {
    waiting.push({ where, key: String(other).toUpperCase(), record: { ...relation, kind: 'relation', issue } })
  }
  yield {
    where,
    record: compact({
      ...rest,
      kind: 'issue',
      externalId: issue,
      team: team.toUpperCase(),
      number: Number(number),
      descriptionMarkdown: text === '' ? undefined : text,
      description: readDocument(text, document)
    })
  }
  for (const [n, comment] of comments.entries()) {
    yield { where: `${where}, comment ${n + 1}`, record: commentRecord(comment, issue, n, names) }
  }
}

function commentRecord(comment: MarkdownComment, issue: string, n: number, names: RecordNames): DataRecord {
  const { text, author, createdAt } = comment
  const { id, document, ...fields } = names.withIds({ ...comment.fields, author, createdAt })
  return compact({
    ...fields,
    kind: 'comment',
    externalId: textOf(id) ?? `${issue}/${n + 1}`,
    issue,
    bodyMarkdown: text,
    body: readDocument(text, document)
  })
}
