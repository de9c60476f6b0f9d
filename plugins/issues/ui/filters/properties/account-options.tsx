import type { QueryClient } from '@tanstack/react-query'
import { Icon } from '../../../../ui/browser/contract.ts'
import { directoryQuery, memberOption } from '../../../../workspace/ui/contract.ts'
import type { FilterOption } from './property.ts'

const ME: FilterOption = { id: 'me', title: 'Me', word: 'me', icon: <Icon name="person" /> }

/** The reader, who is `me` for everybody, and all people and agents. */
export async function accountOptions(client: QueryClient): Promise<FilterOption[]> {
  const { members } = await client.fetchQuery(directoryQuery)
  const options = members.map(member => ({
    ...memberOption(member),
    ...(member.kind === 'AGENT' && { hint: 'Agent' })
  }))
  return [ME, ...options]
}
