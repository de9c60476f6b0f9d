import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  announce,
  api,
  Avatar,
  Button,
  ErrorNote,
  randomKey,
  type AccountOfPicture
} from '../../../ui/browser/contract.ts'
import { PICTURES_KEY, usePictures } from '../data.ts'
import { upload } from '../upload.ts'
import styles from './picture.module.css'
import { scaleDown } from './scale-down.ts'

async function setPicture(accountId: string, chosen: File): Promise<void> {
  const options = {
    idempotencyKey: randomKey(),
    signal: new AbortController().signal,
    onProgress: () => undefined
  }
  await upload(await scaleDown(chosen), options, `account:${accountId}`)
}

export default function Picture({ id, name, isAgent = false }: AccountOfPicture) {
  const client = useQueryClient()
  const group = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const hasPicture = usePictures().has(id)
  const change = useMutation({
    mutationFn: (chosen: File | undefined) =>
      chosen ? setPicture(id, chosen) : api(`/v1/users/${id}/picture`, { method: 'DELETE' }),
    onSuccess(_answer, chosen) {
      announce(chosen ? 'The picture is set.' : 'The picture is removed.')
      // The button that removed it disappears.
      if (!chosen) group.current?.querySelector('button')?.focus()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [PICTURES_KEY] })
  })
  function start(chosen: File | undefined): void {
    // The buttons keep the focus, which they would lose if they were disabled.
    return change.isPending ? announce('The picture is being changed: wait for it.') : change.mutate(chosen)
  }
  function set(files: FileList | null): void {
    if (files?.[0]) start(files[0])
  }
  return (
    <div
      ref={group}
      className={styles['picture']}
      data-over={isOver || undefined}
      role="group"
      aria-label={`Picture of ${name}`}
      aria-busy={change.isPending}
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false)
        set(event.dataTransfer.files)
      }}
    >
      <Avatar id={id} name={name} isAgent={isAgent} />
      <span className={styles['text']}>
        Choose an image, or drop one here: it is cut to a square, and everybody in the workspace sees it.
      </span>
      <Button onClick={() => input.current?.click()}>{hasPicture ? 'Change picture' : 'Choose picture'}</Button>
      {hasPicture && <Button onClick={() => start(undefined)}>Remove picture</Button>}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        aria-label={`File of the picture of ${name}`}
        onChange={({ target }) => {
          set(target.files)
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      {change.error && <ErrorNote error={change.error} />}
    </div>
  )
}
