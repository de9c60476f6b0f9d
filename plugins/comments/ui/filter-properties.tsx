import { accountOptions, type FilterProperty } from '../../issues/ui/contract.ts'
import { Icon } from '../../ui/browser/contract.ts'

const properties: readonly FilterProperty[] = [
  {
    key: 'question',
    label: 'Waits for answer of',
    icon: <Icon name="help" />,
    none: 'Nobody',
    kind: 'choice',
    options: accountOptions
  }
]
export default properties
