import styles from './avatar.module.css'

function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) % 360
  return hash
}

const segmenter = new Intl.Segmenter()
/** The first grapheme: an emoji has several code units. */
const firstCharacterOf = (name: string): string => [...segmenter.segment(name)][0]?.segment ?? ''

/** The first letter of a name on its colour: people are round, agents square. */
export function Avatar({ name, isAgent = false }: { name: string; isAgent?: boolean }) {
  return (
    <span
      className={styles['avatar']}
      data-agent={isAgent || undefined}
      style={{ '--hue': hueOf(name) } as React.CSSProperties}
      title={name}
      aria-hidden
    >
      {firstCharacterOf(name).toUpperCase()}
    </span>
  )
}
