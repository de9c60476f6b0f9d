import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Button,
  Empty,
  ErrorNote,
  Line,
  Lines,
  NameField,
  removeRestorable,
  Skeleton,
  TextField,
  useRequest
} from '../../ui/browser/contract.ts'

interface Label {
  id: string
  name: string
  color: string
}
const DEFAULT_COLOR = '#6c6ff0'
const useLabelRequest = () => useRequest('labels', 'directory', 'issues', 'issue', 'context')

export default function Labels() {
  const { data: labels, error } = useQuery({
    queryKey: ['labels'],
    queryFn: ({ signal }) => api<Label[]>('/v1/labels', { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!labels) return <Skeleton />
  return (
    <>
      <AddLabel />
      {labels.length === 0 && <Empty title="No labels yet">Labels group issues across teams and projects.</Empty>}
      <Lines label="Labels">
        {labels.map(label => (
          <LabelLine key={label.id} label={label} />
        ))}
      </Lines>
    </>
  )
}

function LabelLine({ label: { id, name, color } }: { label: Label }) {
  const { mutate, mutateAsync, error } = useLabelRequest()
  const path = `/v1/labels/${id}`
  const [previous, setPrevious] = useState(color)
  const recolor = (color: string) => mutate({ path, body: { color, previous: { color: previous } } })
  return (
    <Line error={error}>
      <input
        type="color"
        aria-label={`Colour of ${name}`}
        defaultValue={color}
        onFocus={() => setPrevious(color)}
        onBlur={event => event.target.value !== color && recolor(event.target.value)}
      />
      <NameField
        label={`Name of the label ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <Button
        kind="danger"
        aria-label={`Remove the label ${name}`}
        onClick={() => removeRestorable(mutateAsync, path, `The label ${name}`)}
      >
        Remove
      </Button>
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
      <TextField
        label="Name of a new label"
        placeholder="A new label"
        maxLength={100}
        value={name}
        onChange={setName}
      />
    </AddForm>
  )
}
