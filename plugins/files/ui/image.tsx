import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Dialog, prefix } from '../../ui/browser/contract.ts'
import { boxOf, useFile } from './data.ts'
import styles from './files.module.css'
import { FileLink } from './link.tsx'
import { Missing } from './missing.tsx'

/** Its size is reserved. Types that browsers do not show are a link. */
export function FileImage({ address, alt }: { address: string; alt: string }) {
  const { data: file, error, refetch } = useFile(address)
  const [isOpen, setOpen] = useState(false)
  const [broken, setBroken] = useState<string>()
  if (error) return <Missing error={error} name={alt} />
  if (!file) return <span className={styles['pending']} />
  const { name } = file
  const box = boxOf(address)
  if (broken === address || !box) return <FileLink address={address}>{alt || name}</FileLink>
  function onError(): void {
    setBroken(address)
    // It may have been removed.
    refetch()
  }
  const source = { src: prefix + address, alt: alt || name }
  return (
    <>
      <button
        type="button"
        className={styles['image']}
        aria-label={`Enlarge ${source.alt}`}
        onClick={() => setOpen(true)}
      >
        <img {...source} style={box} onError={onError} />
      </button>
      {createPortal(
        <Dialog title={name} isOpen={isOpen} isLarge onClose={() => setOpen(false)}>
          <div className={styles['large']}>
            <img {...source} />
            <a href={prefix + address} download={name}>
              Download
            </a>
          </div>
        </Dialog>,
        // A paragraph, where the image stands, cannot contain a dialog.
        document.body
      )}
    </>
  )
}
