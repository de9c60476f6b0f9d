import { Choice, DayChoice } from '../../ui/browser/contract.ts'
import { GROUPINGS, OWN_DAYS, RANGES, type Address } from './address.ts'
import styles from './insights.module.css'

const OPTIONS = [...RANGES, { id: OWN_DAYS, title: 'Own days' }]

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
          <DayChoice
            className={styles['day']}
            label="First day"
            day={from}
            onChoose={day => change({ from: day, to: day > to ? day : to })}
          />
          <DayChoice
            className={styles['day']}
            label="Last day"
            day={to}
            onChoose={day => change({ from: day < from ? day : from, to: day })}
          />
        </>
      )}
      <Choice label="Divided by" options={GROUPINGS} chosen={by} onChoose={by => change({ by })} />
    </>
  )
}
