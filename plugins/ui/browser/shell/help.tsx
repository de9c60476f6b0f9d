import { Kbd } from '../parts/bits.tsx'
import { Dialog } from '../parts/controls.tsx'
import styles from './help.module.css'
import { allCommands } from '../keys.ts'

export function Help({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const commands = isOpen ? allCommands().filter(({ keys }) => keys !== undefined) : []
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <div className={styles['sheet']}>
        {[...Map.groupBy(commands, ({ section }) => section)].map(([section, list]) => (
          <section key={section}>
            <h3>{section}</h3>
            <ul>
              {list.map(({ id, title, keys }) => (
                <li key={id}>
                  {title}
                  <Kbd keys={keys![0]!} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
