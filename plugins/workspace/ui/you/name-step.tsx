import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AddForm, StartStep, TextField, useRequest } from '../../../ui/browser/contract.ts'
import { FIRST_ADMINISTRATOR } from '../../first-administrator.ts'
import { ME_IS_IN, meQuery, type Me } from './me.ts'

export default function NameStep() {
  const { data: me } = useQuery(meQuery)
  const change = useRequest<Me>(...ME_IS_IN)
  const [typed, setTyped] = useState<string>()
  const isDone = me !== undefined && me.fullname !== FIRST_ADMINISTRATOR
  const name = typed ?? (isDone ? me.fullname : '')
  function save(): void {
    if (!me) return
    const { id, fullname } = me
    change.mutate({ path: `/v1/users/${id}`, body: { fullname: name.trim(), previous: { fullname } } })
  }
  return (
    <StartStep title="Set your name" isDone={isDone}>
      <p>Others see it on what you write, and assign issues to it.</p>
      <AddForm label="Set your name" word="Save" kind="plain" request={change} onAdd={save}>
        <TextField label="Your name" value={name} maxLength={200} onChange={setTyped} />
      </AddForm>
    </StartStep>
  )
}
