import { commands, prefix, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(commands, {
    id: 'documentation',
    title: 'Help: the documentation',
    section: 'General',
    // What is being written stays as it is.
    run() {
      window.open(`${prefix}/help/`, '_blank', 'noopener')
    }
  })
}
export default part
