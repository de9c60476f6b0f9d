import { Avatar } from '../../ui/browser/contract.ts'
import { useDirectory } from './directory.ts'

/** The avatar of a person or an agent; without an id, by name. */
export function AccountAvatar({ name, id }: { name: string; id?: string }) {
  const account = useDirectory()?.members.find(member =>
    id === undefined ? member.fullname === name : member.id === id
  )
  return <Avatar name={name} isAgent={account?.kind === 'AGENT'} />
}
