import { contributions, Copyable, prefix, ShownOnce } from '../../ui/browser/contract.ts'
import styles from './agents.module.css'
import { connectLines } from './contract.ts'

interface TokenShownProps {
  name: string
  token: string
  onClose: () => void
}
/** A token, displayed only once, with the commands that use it. */
export function TokenShown({ name, token, onClose }: TokenShownProps) {
  const url = location.origin + prefix
  const lines = contributions(connectLines)
  return (
    <ShownOnce title={`The token of ${name}`} text={token} onClose={onClose}>
      {lines.length > 0 && <p>Run this in the repository of the agent, for its client:</p>}
      {lines.map(({ client, line }) => (
        <div key={client} className={styles['client']}>
          <h4>{client}</h4>
          <Copyable text={`${line(url)}\nexport TRACKER_TOKEN=${token}`} label={`lines for ${client}`} />
        </div>
      ))}
    </ShownOnce>
  )
}
