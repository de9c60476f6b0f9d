import { Avatar, type PickerOption } from '../../ui/browser/contract.ts'
import { useDirectory, type Member, type Team } from './directory.ts'

/** Without an id, by name. */
export function AccountAvatar({ name, id }: { name: string; id?: string }) {
  const account = useDirectory()?.members.find(member =>
    id === undefined ? member.fullname === name : member.id === id
  )
  return <Avatar name={name} id={id ?? account?.id} isAgent={account?.kind === 'AGENT'} />
}

export const memberOption = ({ id, fullname, kind }: Member): PickerOption => ({
  id,
  title: fullname,
  icon: <Avatar name={fullname} id={id} isAgent={kind === 'AGENT'} />
})

export const teamOption = ({ id, name, identifier }: Team): PickerOption => ({ id, title: name, hint: identifier })
