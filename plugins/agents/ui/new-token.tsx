import { Button, contributions, Copyable, prefix } from '../../ui/browser/contract.ts'
import styles from './agents.module.css'
import { connectLines } from './contract.ts'

interface TokenShownProps {
  name: string
  token: string
  onClose: () => void
}
/** A token, the only time that it is displayed, and the commands that use it. */
export function TokenShown({ name, token, onClose }: TokenShownProps) {
  const url = location.origin + prefix
  return (
    <section className={styles['token']} aria-label={`The token of ${name}`}>
      <h3>The token of {name}, shown only now</h3>
      <Copyable text={token} label="token" />
      {contributions(connectLines).length > 0 && <p>In the repository that it works in, with its client:</p>}
      {contributions(connectLines).map(({ client, line }) => (
        <div key={client}>
          <h4>{client}</h4>
          <Copyable text={`${line(url)}\nexport TRACKER_TOKEN=${token}`} label={`lines for ${client}`} />
        </div>
      ))}
      <Button onClick={onClose}>I have saved it</Button>
    </section>
  )
}
