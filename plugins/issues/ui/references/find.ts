import { MENTION_SIGN, NAME_GOES_ON } from '../../../../lib/words/mentions.ts'
import type { Reference, ReferenceSupport } from '../../../ui/browser/contract.ts'
import { directoryQuery, type Directory, type Member } from '../../../workspace/ui/contract.ts'

/** A key, which is not within a word, a path or an address. */
const KEY = /(?<![\p{L}\p{N}_/.@#-])([A-Z][A-Z\d]*)-[1-9]\d{0,8}(?![\p{L}\p{N}_@]|[-/.]\p{L})/gu
const AT = new RegExp(`${MENTION_SIGN}(?=[\\p{L}\\p{N}])`, 'gv')
const GOES_ON = new RegExp(`^(?:${NAME_GOES_ON})`, 'v')
const MAX_NAME_LENGTH = 80

export const cardOfIssue = (key: string): string => `issue ${key}`
export const cardOfMember = (id: string): string => `member ${id}`

const membersByLetter = new WeakMap<Directory, Map<string, Member[]>>()
function membersOf(directory: Directory, letter: string): readonly Member[] {
  let known = membersByLetter.get(directory)
  if (!known) {
    const longestFirst = directory.members.toSorted((a, b) => b.fullname.length - a.fullname.length)
    known = Map.groupBy(longestFirst, ({ fullname }) => fullname.charAt(0).toLowerCase())
    membersByLetter.set(directory, known)
  }
  return known.get(letter.toLowerCase()) ?? []
}

function* mentionsIn(text: string, directory: Directory): Generator<Reference> {
  for (const { index: from } of text.matchAll(AT)) {
    const after = text.slice(from + 1, from + 1 + MAX_NAME_LENGTH)
    const lowercase = after.toLowerCase()
    const member = membersOf(directory, after.charAt(0)).find(
      ({ fullname }) => lowercase.startsWith(fullname.toLowerCase()) && !GOES_ON.test(after.slice(fullname.length))
    )
    if (!member) continue
    const { id, fullname } = member
    const to = from + 1 + fullname.length
    yield { from, to, href: `/issues?assignee=${id}`, card: cardOfMember(id) }
  }
}

function* keysIn(text: string, directory: Directory): Generator<Reference> {
  for (const { index: from, 0: key, 1: identifier } of text.matchAll(KEY)) {
    if (!directory.teams.some(team => team.identifier === identifier)) continue
    yield { from, to: from + key.length, href: `/issue/${key}`, card: cardOfIssue(key) }
  }
}

export const references: ReferenceSupport = {
  query: directoryQuery,
  find(client) {
    const directory = client.getQueryData<Directory>(directoryQuery.queryKey)
    if (!directory) return () => []
    return text => {
      const matches = [...mentionsIn(text, directory), ...keysIn(text, directory)].toSorted((a, b) => a.from - b.from)
      // A name may contain a key.
      return matches.filter(({ from }, at) => at === 0 || from >= matches[at - 1]!.to)
    }
  }
}
