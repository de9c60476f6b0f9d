import MiniSearch from 'minisearch'

/* The search of the documentation: an index of all sections, which is made when somebody begins to search. */

/** The address from the root of the site, the title of the page, the heading, the text below it. */
type Section = [address: string, page: string, heading: string, text: string]

const MAX_RESULTS = 12
const MIN_MISSPELT_LETTERS = 4
const SHARE_OF_WRONG_LETTERS = 0.15
const EXCERPT_CHARACTERS = 140

const box = document.querySelector<HTMLElement>('search')!
const input = box.querySelector('input')!
const panel = box.querySelector<HTMLElement>('.found')!
const status = panel.querySelector('p')!
const list = panel.querySelector('ol')!
const root = new URL(box.dataset['root']!, location.href)

interface Index {
  sections: Section[]
  index: MiniSearch
}
let loading: Promise<Index> | undefined
const load = (): Promise<Index> =>
  (loading ??= read().catch((error: unknown) => {
    loading = undefined
    throw error
  }))

async function read(): Promise<Index> {
  const answer = await fetch(box.dataset['texts']!)
  if (!answer.ok) throw new Error(answer.statusText)
  const sections = (await answer.json()) as Section[]
  const index = new MiniSearch({
    fields: ['page', 'heading', 'text'],
    searchOptions: {
      boost: { heading: 3, page: 4 },
      prefix: true,
      fuzzy: term => term.length > MIN_MISSPELT_LETTERS && SHARE_OF_WRONG_LETTERS,
      combineWith: 'AND'
    }
  })
  index.addAll(sections.map(([, page, heading, text], id) => ({ id, page, heading, text })))
  return { sections, index }
}

/** The text around the first of the words that it has. */
function excerpt(text: string, terms: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const places = terms.map(term => line.toLowerCase().indexOf(term)).filter(place => place >= 0)
  const begin = Math.max(0, Math.min(...places, line.length) - EXCERPT_CHARACTERS / 3)
  if (places.length === 0) return line.slice(0, EXCERPT_CHARACTERS)
  return `${begin > 0 ? '…' : ''}${line.slice(begin, begin + EXCERPT_CHARACTERS)}`
}

function element(name: string, text: string): HTMLElement {
  const node = document.createElement(name)
  node.textContent = text
  return node
}

function show([address, page, heading, text]: Section, terms: readonly string[]): HTMLElement {
  const link = document.createElement('a')
  link.href = new URL(address, root).href
  link.append(element('b', heading), ...(heading === page ? [] : [element('small', page)]))
  link.append(element('span', excerpt(text, terms)))
  const item = document.createElement('li')
  item.append(link)
  return item
}

async function search(): Promise<void> {
  const text = input.value.trim()
  panel.hidden = text === ''
  if (text === '') return
  try {
    const { sections, index } = await load()
    if (input.value.trim() !== text) return
    const results = index.search(text)
    const shown = results.slice(0, MAX_RESULTS)
    list.replaceChildren(...shown.map(({ id, terms }) => show(sections[id as number]!, terms)))
    status.textContent = shown.length === 0 ? `Nothing has “${text}”.` : `${results.length} found`
  } catch {
    list.replaceChildren()
    status.textContent = 'The search could not be loaded. Type again to retry.'
  }
}

function close(): void {
  panel.hidden = true
  input.focus()
}

function move(by: number): void {
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')]
  const next = stops.indexOf(document.activeElement as HTMLElement) + by
  stops[Math.max(0, Math.min(next, stops.length - 1))]!.focus()
}

// The page that is shown is in sight in the list of all pages, where that scrolls by itself.
const pages = document.querySelector<HTMLElement>('.pages')!
const current = pages.querySelector<HTMLElement>('[aria-current]')
if (current) pages.scrollTop = current.offsetTop - pages.clientHeight / 2

box.hidden = false
input.addEventListener('focus', () => load().catch(() => {}))
input.addEventListener('input', search)
box.addEventListener('keydown', event => {
  if (event.isComposing) return
  const first = list.querySelector('a')
  if (event.key === 'ArrowDown') move(1)
  else if (event.key === 'ArrowUp') move(-1)
  else if (event.key === 'Escape' && !panel.hidden) close()
  else if (event.key === 'Enter' && event.target === input && first) first.click()
  else return
  event.preventDefault()
})
document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})
document.addEventListener('click', event => {
  if (!box.contains(event.target as Node)) panel.hidden = true
})
