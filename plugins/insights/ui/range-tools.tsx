import { Choice, DayPicker, dayText, PickerButton } from '../../ui/browser/contract.ts'
import { GROUPINGS, OWN_DAYS, RANGES, type Address } from './address.ts'
import styles from './insights.module.css'

const OPTIONS = [...RANGES, { id: OWN_DAYS, title: 'Own days' }]

/** Of which days the figures are, and what they are divided by. */
export function RangeTools({ address }: { address: Address }) {
  const { range, by, selection, change } = address
  const { from, to } = selection
  const chooseRange = (id: string) =>
    change(id === OWN_DAYS ? { range: undefined, from, to } : { range: id, from: undefined, to: undefined })
  return (
    <>
      <Choice label="Range" options={OPTIONS} chosen={range} onChoose={chooseRange} />
      {range === OWN_DAYS && (
        <>
          <Day label="First day" day={from} onChoose={day => change({ from: day, to: day > to ? day : to })} />
          <Day label="Last day" day={to} onChoose={day => change({ from: day < from ? day : from, to: day })} />
        </>
      )}
      <Choice label="Divided by" options={GROUPINGS} chosen={by} onChoose={by => change({ by })} />
    </>
  )
}

const Day = ({ label, day, onChoose }: { label: string; day: string; onChoose: (day: string) => void }) => (
  <PickerButton
    label={label}
    className={styles['day']}
    picker={open => <DayPicker {...open} label={label} day={day} onChoose={chosen => chosen && onChoose(chosen)} />}
  >
    {dayText(day)}
  </PickerButton>
)
