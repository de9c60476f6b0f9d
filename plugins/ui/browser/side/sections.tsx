import { useId } from 'react'
import { Icon } from '../parts/icons.tsx'
import { contributions, sideBarSections, type SideBarSection } from '../registry.ts'
import styles from './side-bar.module.css'
import { toggleSection, useSideState } from './side-state.ts'

export const Sections = () =>
  contributions(sideBarSections)
    .toSorted((a, b) => a.order - b.order)
    .map(section => <Section key={section.id} section={section} />)

const always = () => true
function Section({ section }: { section: SideBarSection }) {
  const { id, title, component: Content, useIsShown = always } = section
  const isOpen = !useSideState().closed.includes(id)
  const contentId = useId()
  if (!useIsShown()) return null
  return (
    <section className={styles['section']} aria-label={title}>
      <button type="button" aria-expanded={isOpen} aria-controls={contentId} onClick={() => toggleSection(id)}>
        {title}
        <Icon name="chevron" size={12} />
      </button>
      <div id={contentId} hidden={!isOpen}>
        {isOpen && <Content />}
      </div>
    </section>
  )
}
