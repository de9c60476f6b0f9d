import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, Copyable, ErrorNote, prefix, Skeleton } from '../../../ui/browser/contract.ts'
import styles from './connect.module.css'

interface Client {
  client: string
  title: string
  files: Array<{ path: string; isInHome: boolean; content: string }>
  next: string
  unattended: string
  readsVariable: boolean
}

export default function Guide({ token = 'trk_…' }: { token?: string }) {
  const { data: clients, error } = useQuery({ queryKey: ['connect'], queryFn: () => api<Client[]>('/v1/connect') })
  const [name, setName] = useState('claude-code')
  const group = useId()
  if (error) return <ErrorNote error={error} />
  const chosen = clients?.find(({ client }) => client === name)
  if (!clients || !chosen) return <Skeleton />
  return (
    <div className={styles['guide']}>
      <fieldset className={styles['clients']}>
        <legend>Client</legend>
        {clients.map(({ client, title }) => (
          <label key={client}>
            <input type="radio" name={group} checked={client === name} onChange={() => setName(client)} />
            {title}
          </label>
        ))}
      </fieldset>
      {chosen.files.length === 0 ? (
        <p>{chosen.title} has no hooks, and this server has no tools: there is nothing to connect it to.</p>
      ) : (
        <Steps client={chosen} token={token} />
      )}
    </div>
  )
}

function Steps({
  client: { client, title, files, next, unattended, readsVariable },
  token
}: {
  client: Client
  token: string
}) {
  const script = `curl -fsS ${location.origin}${prefix}/v1/connect/${client}.sh | sh`
  return (
    <>
      <ol className={styles['steps']}>
        <li>
          <p>In the repository of the agent, run this. It creates files, and changes none that exist:</p>
          <Copyable text={script} label={`command for ${title}`} />
        </li>
        <li>
          <p>{readsVariable ? `Start ${title} with the agent’s token:` : 'The agent’s token:'}</p>
          <Copyable text={readsVariable ? `export TRACKER_TOKEN=${token}` : token} label={`token for ${title}`} />
        </li>
        <li>
          <p>{next}</p>
        </li>
      </ol>
      <p>Unattended: {unattended}</p>
      <details>
        <summary>The files, for manual setup</summary>
        {files.map(({ path, isInHome, content }) => (
          <section key={path} aria-label={path}>
            <h2>{isInHome ? `~/${path}` : path}</h2>
            <Copyable text={content} label={path} />
          </section>
        ))}
      </details>
    </>
  )
}
