import { accountActions, commands, prefix, type Part } from '../../ui/browser/contract.ts'

/** In another tab: what is being written stays as it is. */
function open(): void {
  window.open(`${prefix}/help/`, '_blank', 'noopener')
}

const part: Part = ({ contribute }) => {
  contribute(commands, { id: 'documentation', title: 'Help: the documentation', section: 'General', run: open })
  contribute(accountActions, { title: 'Help', run: open })
}
export default part
