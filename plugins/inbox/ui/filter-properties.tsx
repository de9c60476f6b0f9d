import type { FilterProperty } from '../../issues/ui/contract.ts'
import { Icon } from '../../ui/browser/contract.ts'

const properties: readonly FilterProperty[] = [
  { key: 'watching', label: 'Watched by me', icon: <Icon name="inbox" />, kind: 'flag' }
]
export default properties
