import { dirname } from 'node:path'
import type { ImportSource, SourceInput } from '../contract.ts'
import { isAddress, jsonTexts, statPlace } from '../io/files.ts'
import { inThreads } from '../io/threads.ts'
import { answersOf, type Answers } from './answers.ts'
import type { JiraInput, JiraRecords } from './convert.ts'
import { ATTACHMENT_FOLDERS } from './attachments.ts'
import { authorization, liveIssues } from './live.ts'

/** A few issues are not worth a thread. */
const MAX_INLINE_CHARACTERS = 64 * 1024

export const jira: ImportSource = {
  name: 'jira',
  summary: 'Jira: issues of its REST API, one a line or in saved pages; or an address',
  keysInTexts: /-\d+$/,
  tokenVariable: 'JIRA_TOKEN',
  async *read(input) {
    for await (const { records, leftOut } of recordsOf(input)) {
      for (const what of leftOut) input.leaveOut(...what)
      yield* records
    }
  },
  async access({ place, map, token }) {
    const address = isAddress(place) ? place : map.url
    return {
      origin: address === undefined ? undefined : new URL(address).origin,
      authorization: token === undefined ? undefined : authorization(token),
      folder: await folderOf(place)
    }
  }
}

async function folderOf(place: string): Promise<string | undefined> {
  if (isAddress(place)) return undefined
  return (await statPlace(place)).isFolder ? place : dirname(place)
}

async function* recordsOf(input: SourceInput): AsyncGenerator<JiraRecords> {
  const { place, map, include } = input
  const parts = answersOf(isAddress(place) ? liveIssues(input) : jsonTexts(place, ATTACHMENT_FOLDERS))
  const folder = input.files === false ? undefined : await folderOf(place)
  const [first, second] = [await parts.next(), await parts.next()]
  if (first.done) return
  if (second.done && first.value.characters <= MAX_INLINE_CHARACTERS) {
    // Loads the converters, which a server that imports nothing does not need.
    const { jiraRecords } = await import('./convert.ts')
    yield jiraRecords({ answers: first.value.answers, place, map, include, folder })
    return
  }
  async function* inputs(): AsyncGenerator<JiraInput> {
    const begun = second.done ? [first.value as Answers] : [first.value as Answers, second.value]
    for (const { answers } of begun) yield { answers, place, map, include, folder }
    for await (const { answers } of parts) yield { answers, place, map, include, folder }
  }
  yield* inThreads<JiraInput, JiraRecords>(new URL('./convert.ts', import.meta.url), 'jiraRecords', inputs())
}
