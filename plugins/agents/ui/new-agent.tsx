import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, Button, ErrorNote, Field } from '../../ui/browser/contract.ts'
import styles from './agents.module.css'
import { AGENTS_KEY } from './data.ts'

const SCOPES = [
  { name: 'read', summary: 'read everything', isDefault: true },
  { name: 'write', summary: 'create, change, close and comment on issues', isDefault: true },
  { name: 'delete', summary: 'remove issues, comments and other records', isDefault: false }
]

export function NewAgent({ onMade }: { onMade: (name: string, token: string) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState(SCOPES.filter(({ isDefault }) => isDefault).map(({ name }) => name))
  const make = useMutation({
    mutationFn: () => api<{ token: string }>('/v1/users/agents', { body: { name, scopes } }),
    onSuccess({ token }) {
      onMade(name, token)
      setName('')
    },
    onSettled: () => client.invalidateQueries({ queryKey: AGENTS_KEY })
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    make.mutate()
  }
  const toggle = (scope: string) =>
    setScopes(scopes.includes(scope) ? scopes.filter(other => other !== scope) : [...scopes, scope])
  return (
    <form className={styles['new']} onSubmit={submit}>
      <Field label="Name of the agent">
        {id => <input id={id} required maxLength={200} value={name} onChange={event => setName(event.target.value)} />}
      </Field>
      <fieldset>
        <legend>Scopes</legend>
        {SCOPES.map(({ name: scope, summary }) => (
          <label key={scope}>
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            {scope}: {summary}
          </label>
        ))}
      </fieldset>
      {make.error && <ErrorNote error={make.error} />}
      <Button type="submit" kind="primary" disabled={make.isPending || scopes.length === 0}>
        Create agent
      </Button>
    </form>
  )
}
