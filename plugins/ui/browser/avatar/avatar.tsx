import { useContext, useState, type CSSProperties } from 'react'
import { prefix } from '../go.ts'
import styles from './avatar.module.css'
import { Pictures } from './pictures.tsx'

function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) % 360
  return hash
}

const segmenter = new Intl.Segmenter()
/** The first grapheme: an emoji has several code units. */
const firstCharacterOf = (name: string): string => [...segmenter.segment(name)][0]?.segment ?? ''

interface AvatarProps {
  name: string
  id?: string | undefined
  isAgent?: boolean
}
/** People are round, agents square. */
export function Avatar({ name, id = '', isAgent = false }: AvatarProps) {
  const picture = useContext(Pictures).get(id)
  const [failed, setFailed] = useState<string>()
  return (
    <span
      className={styles['avatar']}
      data-agent={isAgent || undefined}
      style={{ '--hue': hueOf(name) } as CSSProperties}
      title={name}
      aria-hidden
    >
      {picture === undefined || picture === failed ? (
        firstCharacterOf(name).toUpperCase()
      ) : (
        // Not draggable: cards are dragged at it, too.
        <img src={prefix + picture} alt="" draggable={false} onError={() => setFailed(picture)} />
      )}
    </span>
  )
}
