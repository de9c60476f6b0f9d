import { useEffect, useRef, useSyncExternalStore } from 'react'
import { messageOf } from '../../data/api.ts'
import { formatBytes } from '../../parts/bits.tsx'
import { Button } from '../../parts/controls.tsx'
import { Icon } from '../../parts/icons.tsx'
import styles from './files.module.css'
import type { Upload, Uploads } from './uploads.ts'

export function UploadList({ uploads }: { uploads: Uploads }) {
  const list = useSyncExternalStore(uploads.subscribe, () => uploads.list)
  if (list.length === 0) return null
  return (
    <div className={styles['uploads']}>
      <ul aria-label="Files that are being uploaded">
        {list.map(upload => (
          <UploadRow key={upload.idempotencyKey} upload={upload} uploads={uploads} />
        ))}
      </ul>
      <p role="status">The text can be saved when its files are uploaded.</p>
    </div>
  )
}

function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { idempotencyKey: key, file, state, sentBytes, error } = upload
  const isRefused = state === 'refused'
  return (
    <li>
      <Icon name="file" />
      <strong>{file.name}</strong>
      <span>{formatBytes(file.size)}</span>
      {isRefused ? (
        <>
          <span role="alert">{messageOf(error)}</span>
          <Button kind="quiet" aria-label={`Retry ${file.name}`} onClick={() => uploads.retry(key)}>
            Retry
          </Button>
        </>
      ) : (
        <progress aria-label={`Upload of ${file.name}`} value={sentBytes} max={Math.max(1, file.size)} />
      )}
      <Button
        kind="quiet"
        aria-label={`${isRefused ? 'Leave out' : 'Cancel'} ${file.name}`}
        onClick={() => uploads.cancel(key)}
      >
        <Icon name="close" />
      </Button>
    </li>
  )
}

export function AttachButton({ uploads, label }: { uploads: Uploads; label: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => uploads.setChooser(() => input.current?.click()), [uploads])
  if (!uploads.isPossible) return null
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`Attach files: ${label}`}
        title="Attach files"
        // The focus stays in the text, whose loss would save it.
        onMouseDown={event => event.preventDefault()}
        onClick={() => uploads.choose()}
      >
        <Icon name="clip" />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={`Files: ${label}`}
        onChange={({ target }) => {
          uploads.add([...target.files!])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
