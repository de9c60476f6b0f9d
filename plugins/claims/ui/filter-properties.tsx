import { accountOptions, type FilterProperty } from '../../issues/ui/contract.ts'
import { Icon } from '../../ui/browser/contract.ts'

const properties: readonly FilterProperty[] = [
  {
    key: 'claim',
    label: 'Claimed by',
    icon: <Icon name="agent" />,
    none: 'Nobody',
    kind: 'choice',
    options: accountOptions
  }
]
export default properties
