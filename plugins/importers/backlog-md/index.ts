import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import { decode, NOT_UTF8 } from '../../../lib/util/file-lines.ts'
import type { ImportSource, SourceInput, SourceItem } from '../contract.ts'
import { withFilesBeside } from '../attachments/local.ts'
import { filesIn, firstLine, statPlace } from '../io/files.ts'
import { omittedIssue } from '../values/marks.ts'
import { frontMatter, type FrontMatter } from '../texts/front-matter.ts'
import { identifierOf, isObject, textOf, type JsonObject } from '../values/values.ts'
import { backlogMilestone, backlogTask, type BacklogProject, type BacklogTask } from './task.ts'

/** Milestones before the tasks that name them. */
const FOLDERS: Array<{ folder: string; kind: 'task' | 'milestone' | 'document'; place: BacklogTask['place'] }> = [
  { folder: 'milestones', kind: 'milestone', place: 'board' },
  { folder: 'archive/milestones', kind: 'milestone', place: 'archive' },
  { folder: 'tasks', kind: 'task', place: 'board' },
  { folder: 'completed', kind: 'task', place: 'completed' },
  { folder: 'drafts', kind: 'task', place: 'draft' },
  { folder: 'archive/tasks', kind: 'task', place: 'archive' },
  { folder: 'archive/drafts', kind: 'task', place: 'archive' },
  { folder: 'decisions', kind: 'document', place: 'board' },
  { folder: 'docs', kind: 'document', place: 'board' }
]

export const backlogMd: ImportSource = {
  name: 'backlog-md',
  summary: 'Backlog.md: the folder backlog of a project',
  keysInTexts: /-\d+(?:\.\d+)*$/,
  access: async ({ place }) => ({ folder: await rootOf(place) }),
  async *read(input) {
    const root = await rootOf(input.place)
    const config = await readConfig(root)
    const prefix = textOf(config['task_prefix']) ?? 'task'
    const site = textOf(config['project_name'])
    const project = { team: identifierOf(prefix, 'TASK'), prefix, name: site ?? 'Backlog', site }
    const board = { milestones: new Map<string, string>(), ids: new Set<string>() }
    for (const { folder, kind, place } of FOLDERS) {
      if (!(await isFolder(join(root, folder)))) continue
      for await (const file of filesIn(join(root, folder), /\.md$/i)) {
        const where = relative(root, file)
        if (kind === 'task' || kind === 'milestone') {
          yield* readTask(root, where, kind, place, { ...project, ...board }, input)
        } else input.leaveOut(folder, 'documents are no issues', where)
      }
    }
  }
}

async function* readTask(
  root: string,
  where: string,
  kind: 'task' | 'milestone',
  place: BacklogTask['place'],
  project: BacklogProject,
  input: SourceInput
): AsyncGenerator<SourceItem> {
  const read = await readFrontMatter(join(root, where))
  if (typeof read === 'string') {
    yield { where, problem: read }
    return
  }
  if (read === undefined) {
    input.leaveOut('files', 'they have no front matter', where)
    return
  }
  const mark = kind === 'task' && place === 'archive' ? 'archived' : undefined
  const omitted = omittedIssue(mark, [textOf(read.data['id'])], where, input)
  if (omitted !== undefined) {
    yield omitted
    return
  }
  const records =
    kind === 'milestone'
      ? backlogMilestone(read, project.milestones)
      : backlogTask({ ...read, place, where }, project, input)
  for (const record of records) {
    yield typeof record === 'string'
      ? { where, problem: record }
      : { where, record: await withFilesBeside(record, root, where), site: project.site }
  }
}

/** @returns the problem with the file; undefined when it has no front matter */
async function readFrontMatter(file: string): Promise<FrontMatter | string | undefined> {
  const text = decode(await readFile(file))
  if (text === undefined) return NOT_UTF8
  try {
    return frontMatter(text)
  } catch (error) {
    return `its front matter cannot be read: ${firstLine(error)}`
  }
}

/** @throws Error when there is none */
async function rootOf(place: string): Promise<string> {
  await statPlace(place)
  for (const folder of [place, join(place, 'backlog'), join(place, '.backlog')]) {
    if (await isFolder(join(folder, 'tasks'))) return folder
  }
  throw new Error(`${place} has no folder 'tasks': name the folder 'backlog' of a project that uses Backlog.md.`)
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isDirectory(),
    () => false
  )

/** @throws Error that names the file */
async function readConfig(root: string): Promise<JsonObject> {
  for (const file of [join(root, 'config.yml'), join(root, 'config.yaml')]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    try {
      const config: unknown = parse(text, { schema: 'core', maxAliasCount: 0 })
      if (isObject(config)) return config
    } catch (error) {
      throw new Error(`${file} cannot be read: correct it, then import again. ${firstLine(error)}`)
    }
  }
  return {}
}
