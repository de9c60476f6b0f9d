import { appendFile, mkdir, readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeTemporaryFolder } from '../../../lib/util/temporary-folder.ts'
import { compact, isObject, objectOf, textOf, type JsonObject } from '../values/values.ts'
import { commentText, documentOf, issueText, withFields } from './document.ts'
import { RecordNames } from './names.ts'

/** All records except issues, relations and comments, as lines of the import format. */
export const BOARD_FILE = 'board.jsonl'

/**
 * The folder appears once it is complete; memory holds the issues' ids and keys.
 * @param lines of the import format, in its order
 * @returns the number of issues
 * @throws Error when the folder is not empty
 */
export async function writeMarkdown(lines: AsyncIterable<string>, place: string): Promise<number> {
  const folder = resolve(place)
  await refuseUsed(folder)
  await mkdir(dirname(folder), { recursive: true })
  await using partial = await makeTemporaryFolder(dirname(folder), `.${basename(folder)}-`)
  const issues = await writeLines(lines, partial.path)
  await rmdir(folder).catch(ignoreMissing)
  await rename(partial.path, folder)
  return issues
}

async function refuseUsed(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(ignoreMissing)
  if (entries !== undefined && entries.length > 0) {
    throw new Error(`There is something in ${folder}: name a folder that is empty or not there yet.`)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function writeLines(lines: AsyncIterable<string>, folder: string): Promise<number> {
  const names = new RecordNames()
  /** By external id. */
  const keys = new Map<string, string>()
  const folders = new Set<string>()
  let relations: { issue: string; fields: JsonObject[] } | undefined

  const fileOf = (key: string) => join(folder, key.slice(0, key.lastIndexOf('-')), `${key}.md`)
  const keyOf = (externalId: unknown): string => {
    const key = keys.get(String(externalId))
    if (key === undefined) throw new Error(`The export names an issue '${String(externalId)}' that it does not have.`)
    return key
  }
  const writeRelations = async () => {
    if (relations === undefined) return
    const file = fileOf(keyOf(relations.issue))
    await writeFile(file, withFields(await readFile(file, 'utf8'), relationFields(relations.fields, keyOf)))
    relations = undefined
  }

  for await (const line of lines) {
    const record = objectOf(JSON.parse(line))
    const { kind, ...fields } = record
    if (kind === 'relation') {
      const issue = String(fields['issue'])
      if (relations?.issue !== issue) await writeRelations()
      relations ??= { issue, fields: [] }
      relations.fields.push(names.named(fields))
      continue
    }
    await writeRelations()
    if (kind === 'issue') {
      const key = `${String(fields['team'])}-${String(fields['number'])}`
      keys.set(String(fields['externalId']), key)
      const file = fileOf(key)
      if (!folders.has(dirname(file))) await mkdir(dirname(file))
      folders.add(dirname(file))
      await writeFile(file, issueFile(key, names.named(fields)))
    } else if (kind === 'comment') {
      await appendFile(fileOf(keyOf(fields['issue'])), commentFile(names.named(fields)))
    } else {
      names.add(record)
      await appendFile(join(folder, BOARD_FILE), `${line}\n`)
    }
  }
  await writeRelations()
  return keys.size
}

/** Unchanged: `textOf` returns nothing for spaces only. */
const markdownOf = (value: unknown) => (typeof value === 'string' ? value : '')

function issueFile(key: string, issue: JsonObject): string {
  const { externalId, team: _, number: __, descriptionMarkdown, description, history, title, state, ...fields } = issue
  const text = markdownOf(descriptionMarkdown)
  return issueText(
    compact({
      key,
      title,
      state,
      ...fields,
      id: externalId,
      document: description === undefined ? undefined : documentOf(text, description),
      history
    }),
    text
  )
}

function commentFile(comment: JsonObject): string {
  const { externalId, issue: _, author, createdAt, bodyMarkdown, body, ...fields } = comment
  const text = markdownOf(bodyMarkdown)
  return commentText({
    author: textOf(author),
    createdAt: textOf(createdAt),
    text,
    fields: compact({ id: externalId, ...fields, document: body === undefined ? undefined : documentOf(text, body) })
  })
}

function relationFields(relations: readonly JsonObject[], keyOf: (externalId: unknown) => string): JsonObject {
  const parent = relations.find(({ type }) => type === 'PARENT')
  const others = relations.flatMap(({ issue: _, relatedIssue, ...fields }) =>
    fields['type'] === 'PARENT' ? [] : [{ ...fields, issue: keyOf(relatedIssue) }]
  )
  return compact({
    parent: isObject(parent) ? keyOf(parent['relatedIssue']) : undefined,
    relations: others.length === 0 ? undefined : others
  })
}
