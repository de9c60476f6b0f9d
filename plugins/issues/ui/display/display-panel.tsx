import type { ReactNode, RefObject } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toggled } from '../../../../lib/util/toggled.ts'
import { Choice, PickerDialog, type PickerOption } from '../../../ui/browser/contract.ts'
import type { DisplayOptionsProps } from './display-button.tsx'
import { ORDERS, pathOf } from './display.ts'
import styles from './display.module.css'
import { propertiesOf } from './properties.ts'
import { allGroupings, useListingGroups } from './use-groups.ts'

const NOTHING = ''
const AGES: readonly PickerOption[] = [
  { id: NOTHING, title: 'Any time' },
  { id: '0', title: 'None' },
  { id: '1', title: 'Past day' },
  { id: '7', title: 'Past week' },
  { id: '14', title: 'Past two weeks' },
  { id: '30', title: 'Past month' },
  { id: '90', title: 'Past three months' }
]

export default function DisplayPanel(
  props: DisplayOptionsProps & { anchor: RefObject<HTMLElement | null>; onClose: () => void }
) {
  const { layout, shown, anchor, onClose } = props
  const { display, change } = shown
  const { orderBy, groupBy, subGroupBy, closedWithinDays } = display
  const groupings = allGroupings().map(({ id, title }) => ({ id, title }))
  const none = { id: NOTHING, title: 'None' }
  const days = String(closedWithinDays ?? '')
  const ages = AGES.some(({ id }) => id === days) ? AGES : [...AGES, { id: days, title: `Past ${days} days` }]
  return (
    <PickerDialog label="Display" anchor={anchor.current} onClose={onClose}>
      <div className={styles['panel']}>
        <LayoutSwitch layout={layout} />
        <Row label="Group by">
          <Choice
            label="Group by"
            options={layout === 'list' ? [none, ...groupings] : groupings}
            chosen={groupBy ?? NOTHING}
            onChoose={id => change({ groupBy: id || null, hiddenGroups: [], collapsedGroups: [] })}
          />
        </Row>
        {layout === 'board' && (
          <Row label="Rows">
            <Choice
              label="Rows"
              options={[none, ...groupings.filter(({ id }) => id !== groupBy)]}
              chosen={subGroupBy ?? NOTHING}
              onChoose={id => change({ subGroupBy: id || null })}
            />
          </Row>
        )}
        <Row label="Order">
          <Choice
            label="Order"
            options={ORDERS.map(([id, title]) => ({ id, title }))}
            chosen={orderBy}
            onChoose={id => change({ orderBy: ORDERS.find(([order]) => order === id)![0] })}
          />
        </Row>
        <Row label="Closed issues">
          <Choice
            label="Closed issues"
            options={ages}
            chosen={days}
            onChoose={id => change({ closedWithinDays: id === NOTHING ? null : Number(id) })}
          />
        </Row>
        <Properties {...props} />
        <ShownGroups {...props} />
      </div>
    </PickerDialog>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles['option']}>
    <span aria-hidden>{label}</span>
    {children}
  </div>
)

function LayoutSwitch({ layout }: Pick<DisplayOptionsProps, 'layout'>) {
  const [, navigate] = useLocation()
  const search = useSearch()
  return (
    <div role="radiogroup" aria-label="Layout" className={styles['layouts']}>
      {(['list', 'board'] as const).map(each => (
        <label key={each}>
          <input
            type="radio"
            name="layout"
            checked={layout === each}
            onChange={() => navigate(search === '' ? pathOf(each) : `${pathOf(each)}?${search}`)}
          />
          {each === 'list' ? 'List' : 'Board'}
        </label>
      ))}
    </div>
  )
}

function Properties({ layout, shown: { display, change } }: DisplayOptionsProps) {
  const all = propertiesOf(layout)
  const shown = display.properties.length === 0 ? all.map(({ id }) => id) : display.properties
  function toggle(id: string): void {
    const next = all.map(each => each.id).filter(other => shown.includes(other) !== (other === id))
    // An empty list means all: for the title only, a name that no property has.
    change({ properties: next.length === all.length ? [] : next.length === 0 ? ['title'] : next })
  }
  return (
    <fieldset className={styles['chips']}>
      <legend>Properties</legend>
      {all.map(({ id, title }) => (
        <label key={id}>
          <input type="checkbox" checked={shown.includes(id)} onChange={() => toggle(id)} />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

function ShownGroups({ shown: { display, change }, directory, team }: DisplayOptionsProps) {
  const groups = useListingGroups(display.groupBy, directory, team) ?? []
  const { hiddenGroups } = display
  if (groups.length === 0) return null
  const toggle = (id: string) => change({ hiddenGroups: toggled(hiddenGroups, id) })
  return (
    <fieldset className={styles['chips']}>
      <legend>Groups</legend>
      {groups.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={!hiddenGroups.includes(id)} onChange={() => toggle(id)} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
