import type { GroupId, OpenIssues } from '../address.ts'
import type { Figures } from '../data.ts'
import type { ShownFigure } from '../values/shown-figures.ts'
import styles from './figure-button.module.css'

interface FigureButtonProps {
  shown: ShownFigure
  figures: Figures
  group: GroupId
  name: string
  onOpen: OpenIssues
}
export function FigureButton({ shown: { title, figure, valueOf }, figures, group, name, onOpen }: FigureButtonProps) {
  const { text, count } = valueOf(figures) ?? { text: '–', count: 0 }
  if (count === 0) return <span className={styles['none']}>{text}</span>
  return (
    <button
      type="button"
      className={styles['button']}
      aria-label={`${title}, ${name}: ${text}`}
      onClick={() => onOpen(figure, group)}
    >
      {text}
    </button>
  )
}
