import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  Empty,
  ErrorNote,
  Lead,
  Line,
  Lines,
  Menu,
  NameField,
  removeRestorable,
  Skeleton,
  TextField,
  useRequest
} from '../../../ui/browser/contract.ts'
import { ColorField } from '../color-field.tsx'
import { labelsQuery, type Label } from './data.ts'
import { byLabelGroup } from './label-groups.ts'
import styles from './labels.module.css'

const DEFAULT_COLOR = '#6c6ff0'
const useLabelRequest = () => useRequest('labels', 'directory', 'issues', 'issue', 'context')

export default function Labels() {
  const { data: labels, error } = useQuery(labelsQuery)
  if (error) return <ErrorNote error={error} />
  if (!labels) return <Skeleton />
  return (
    <>
      <Lead>
        Labels sort issues across teams and projects. A name with a slash, such as area/export, is in a group.
      </Lead>
      <AddLabel />
      {labels.length === 0 && <Empty title="No labels yet">Labels group issues across teams and projects.</Empty>}
      <Lines label="Labels">
        {/* One list: a label that gets another group keeps what is typed in its line. */}
        {byLabelGroup(labels).flatMap(([group, ofGroup]) => [
          ...(group === '' ? [] : [<GroupName key={`group ${group}`} name={group} />]),
          ...ofGroup.map(label => <LabelLine key={label.id} label={label} />)
        ])}
      </Lines>
    </>
  )
}

const GroupName = ({ name }: { name: string }) => (
  <li className={styles['group']}>
    <h3>{name}</h3>
  </li>
)

function LabelLine({ label: { id, name, color } }: { label: Label }) {
  const { mutate, mutateAsync, error } = useLabelRequest()
  const path = `/v1/labels/${id}`
  async function remove(): Promise<void> {
    await removeRestorable(mutateAsync, path, `The label ${name}`)
  }
  return (
    <Line error={error}>
      <ColorField
        label={`Colour of ${name}`}
        color={color}
        onChange={(color, previous) => mutate({ path, body: { color, previous: { color: previous } } })}
      />
      <NameField
        label={`Name of the label ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <Menu label={`Actions on the label ${name}`} items={[{ title: 'Remove', isDangerous: true, run: remove }]} />
    </Line>
  )
}

function AddLabel() {
  const request = useLabelRequest()
  const [name, setName] = useState('')
  const [color, setColor] = useState(DEFAULT_COLOR)
  const add = () => request.mutate({ path: '/v1/labels', body: { name, color } }, { onSuccess: () => setName('') })
  return (
    <AddForm label="Add a label" request={request} onAdd={add}>
      <input
        type="color"
        aria-label="Colour of a new label"
        value={color}
        onChange={event => setColor(event.target.value)}
      />
      <TextField label="New label" placeholder="area/export" maxLength={100} value={name} onChange={setName} />
    </AddForm>
  )
}
