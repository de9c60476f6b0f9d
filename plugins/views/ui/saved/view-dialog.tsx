import { useState, type FormEvent } from 'react'
import { announce, Button, Dialog, ErrorNote, Field, go, useSession } from '../../../ui/browser/contract.ts'
import { addressOfView, useViewChanges } from './data.ts'
import { IconPicker } from './icon-picker.tsx'
import type { Subject } from './open-dialog.tsx'
import styles from './saved.module.css'

const MAX_NAME = 100

export default function ViewDialog({ title, body, view, onClose }: Subject & { onClose: () => void }) {
  const [name, setName] = useState(body.name)
  const [icon, setIcon] = useState(body.icon)
  const [isShared, setShared] = useState(body.isShared)
  const { create, change, error, isPending } = useViewChanges()
  const accountId = useSession()?.account?.id
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (name.trim() === '') return
    const named = { name: name.trim(), icon, isShared }
    const previous = { name: body.name, isShared: body.isShared }
    const saving = view ? change(view.id, named, previous) : create({ ...body, ...named })
    const saved = await saving.catch(() => undefined)
    if (!saved) return
    onClose()
    announce(`The view ${saved.name} is saved`)
    if (!view) go(addressOfView(saved))
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form className={styles['form']} onSubmit={save}>
        <div className={styles['named']}>
          <IconPicker icon={icon} onChoose={setIcon} />
          <Field label="Name">
            {id => (
              <input
                id={id}
                required
                autoComplete="off"
                maxLength={MAX_NAME}
                value={name}
                onChange={event => setName(event.target.value)}
              />
            )}
          </Field>
        </div>
        {/* Only its owner takes a view back. */}
        {(!view || view.owner.id === accountId) && (
          <label className={styles['shared']}>
            <input type="checkbox" checked={isShared} onChange={event => setShared(event.target.checked)} />
            Share with the workspace
          </label>
        )}
        {error && <ErrorNote error={error} />}
        <Button kind="primary" type="submit" disabled={isPending || name.trim() === ''}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
