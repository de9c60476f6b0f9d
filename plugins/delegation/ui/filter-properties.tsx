import type { FilterProperty } from '../../issues/ui/contract.ts'
import { Icon } from '../../ui/browser/contract.ts'
import { RUN_STATUSES } from '../run-statuses.ts'

const statuses = RUN_STATUSES.map(status => {
  const word = status.toLowerCase()
  return { id: status, title: word.charAt(0).toUpperCase() + word.slice(1), word }
})

const properties: readonly FilterProperty[] = [
  {
    key: 'run',
    label: 'Last run',
    icon: <Icon name="run" />,
    none: 'No run',
    kind: 'choice',
    options: async () => statuses
  }
]
export default properties
