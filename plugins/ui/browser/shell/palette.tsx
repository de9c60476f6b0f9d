import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { isSearchable } from '../../../../lib/words/scripts.ts'
import { fold, hasAllWords } from '../../../../lib/words/fold.ts'
import { messageOf } from '../data/api.ts'
import { go, prefix } from '../go.ts'
import { Kbd } from '../parts/bits.tsx'
import { Icon } from '../parts/icons.tsx'
import { allCommands, onShownCommands } from '../keys.ts'
import styles from './palette.module.css'
import { contributions, finders } from '../registry.ts'
import { useSession } from '../session/session.ts'
import { recentVisits } from '../visit.ts'
import { reportProblem } from './undo.tsx'

const MAX_VISITS = 5

interface Row {
  id: string
  section: string
  title: string
  words?: string | undefined
  keys?: string | undefined
  hint?: string | undefined
  completes?: string | undefined
  isFormer?: boolean
  run(): void | Promise<void>
}

const commandRows = (): Row[] =>
  allCommands().map(({ keys, ...command }) => ({ ...command, run: () => command.run(), keys: keys?.[0] }))

/** A page that is loaded later adds its own; those of the element that had the focus before stay. */
function useCommandRows(): Row[] {
  const [rows, setRows] = useState(commandRows)
  useEffect(() => {
    const isSame = (one: Row) => (other: Row) => one.id === other.id && one.section === other.section
    return onShownCommands(() =>
      setRows(before => {
        const now = commandRows()
        return [...now, ...before.filter(row => !now.some(isSame(row)))]
      })
    )
  }, [])
  return rows
}

/** The results of the parts' finders; the previous ones stay until they arrive. */
function useResults(text: string) {
  const client = useQueryClient()
  const isPossible = isSearchable(text)
  const { data, isFetching, isPlaceholderData, error } = useQuery<Row[]>({
    queryKey: ['palette', text],
    queryFn: async ({ signal }) => {
      const ordered = contributions(finders).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
      const groups = await Promise.all(
        ordered.map(async ({ section, find }) =>
          (await find(text, signal, client)).map(row => ({ ...row, section: `Results: ${section}` }))
        )
      )
      return groups.flat()
    },
    enabled: isPossible,
    placeholderData: keepPreviousData
  })
  const results = isPossible && data ? data.map(row => ({ ...row, isFormer: isPlaceholderData })) : []
  return { results, isFetching, error: isPossible ? error : null }
}

function useVisits(): Row[] {
  const accountId = useSession()?.account?.id ?? ''
  return useMemo(
    () =>
      recentVisits(accountId)
        .filter(({ path }) => prefix + path !== location.pathname)
        .slice(0, MAX_VISITS)
        .map(({ path, title }) => ({ id: path, section: 'Recent', title, run: () => go(path) })),
    [accountId]
  )
}

/** 3: the title begins with the text; 2: it has all its words; 1: it has, with its other words; 0: no match. */
function rankOf({ title, words = '' }: Row, text: string): number {
  if (fold(title).startsWith(fold(text))) return 3
  if (hasAllWords(title, text)) return 2
  return Number(hasAllWords(`${title} ${words}`, text))
}

function useRows(text: string): { rows: Row[]; note: string | undefined } {
  const commands = useCommandRows()
  const visits = useVisits()
  const typed = text.trim()
  const { results, isFetching, error } = useResults(typed)
  if (typed === '') return { rows: [...visits, ...commands], note: undefined }
  const ranked = commands.map(row => ({ row, rank: rankOf(row, typed) })).filter(({ rank }) => rank > 0)
  const rows = [...ranked.toSorted((a, b) => b.rank - a.rank).map(({ row }) => row), ...results]
  if (error) return { rows, note: messageOf(error) }
  return { rows, note: rows.length > 0 ? undefined : isFetching ? 'Searching…' : 'No results.' }
}

/** Enter on a result of the text before waits for those of the present one. */
function useEnter(row: Row | undefined, choose: (row: Row | undefined) => void) {
  const isPressed = useRef(false)
  function press(): void {
    isPressed.current = row?.isFormer === true
    if (!isPressed.current) choose(row)
  }
  useEffect(() => {
    if (isPressed.current) press()
  })
  function forget(): void {
    isPressed.current = false
  }
  return { press, forget }
}

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const { rows, note } = useRows(text)
  const active = Math.min(at, rows.length - 1)
  const enter = useEnter(rows[active], choose)
  useEffect(() => dialog.current?.showModal(), [])

  function type(next: string): void {
    setText(next)
    setAt(0)
    enter.forget()
    input.current?.focus()
  }
  function choose(row: Row | undefined): void {
    if (!row) return
    if (row.completes !== undefined) return type(row.completes)
    dialog.current?.close()
    Promise.resolve(row.run()).catch(reportProblem)
  }
  function press(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') enter.press()
    else if (by !== undefined && rows.length > 0) setAt((active + by + rows.length) % rows.length)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className={styles['palette']}
      aria-label="Search"
      onClose={onClose}
      onMouseDown={event => event.target === dialog.current && dialog.current.close()}
    >
      <div className={styles['field']}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
          aria-label="Search"
          placeholder="Search…"
          autoComplete="off"
          value={text}
          onChange={event => type(event.target.value)}
          onKeyDown={press}
        />
      </div>
      <PaletteRows id={id} rows={rows} note={note} active={active} onChoose={choose} />
    </dialog>
  )
}

interface PaletteRowsProps {
  id: string
  rows: readonly Row[]
  note: string | undefined
  active: number
  onChoose: (row: Row) => void
}
const PaletteRows = ({ id, rows, note, active, onChoose }: PaletteRowsProps) => (
  <ul id={`${id}-list`} role="listbox" aria-label="Search results" className={styles['rows']} tabIndex={0}>
    {rows.map((row, index) => (
      <PaletteRow
        key={`${row.section} ${row.id}`}
        row={row}
        id={`${id}-${index}`}
        isActive={index === active}
        isFirst={rows[index - 1]?.section !== row.section}
        onChoose={() => onChoose(row)}
      />
    ))}
    {note !== undefined && <li className={styles['none']}>{note}</li>}
  </ul>
)

interface PaletteRowProps {
  row: Row
  id: string
  isActive: boolean
  isFirst: boolean
  onChoose: () => void
}
function PaletteRow({ row, id, isActive, isFirst, onChoose }: PaletteRowProps) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <>
      {isFirst && (
        <li role="presentation" className={styles['section']}>
          {row.section}
        </li>
      )}
      <li ref={ref} id={id} role="option" aria-selected={isActive} className={styles['row']} onClick={onChoose}>
        <span>{row.title}</span>
        {row.keys !== undefined && <Kbd keys={row.keys} />}
        {row.hint !== undefined && <small>{row.hint}</small>}
      </li>
    </>
  )
}
