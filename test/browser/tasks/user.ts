import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'

/** A task of somebody who sees the interface for the first time. */
export interface Task {
  wants: string
  /** The page where they are, or how its path is found. */
  at: string | ((user: User) => Promise<string>)
  /** The words that they type into the palette, and the row that they choose; or what they click, at most twice. */
  way: { words: string; row: string } | { clicks: readonly [Place] | readonly [Place, Place] }
  /** Does there what they want; without it, they are there. */
  act?: (user: User) => Promise<unknown>
  /** Visible once it is done. */
  shows: Place
  /** True if it is stored. */
  stored?: (user: User) => Promise<boolean>
}
export type Place = (page: Page) => Locator

/** Rows of the palette that somebody reads. */
const MAX_ROWS_READ = 5
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

export const button =
  (name: string): Place =>
  page =>
    page.getByRole('button', { name, exact: true })
export const field =
  (name: string): Place =>
  page =>
    page.getByRole('textbox', { name, exact: true })
export const property =
  (name: string): Place =>
  page =>
    page.getByRole('combobox', { name, exact: true })
export const heading =
  (name: string | RegExp): Place =>
  page =>
    page.getByRole('heading', { name })
/** A text that screen readers announce. */
export const said =
  (text: string): Place =>
  page =>
    page.locator('#announcer, [role=status], [role=alert]').filter({ hasText: text })

/** Goes from a workspace to its sample board. */
export async function openSampleBoard(page: Page, url: string): Promise<void> {
  const answer = await page.request.post(`${url}/v1/demo`, { data: {}, headers: SAME_ORIGIN })
  if (!answer.ok()) throw new Error(await answer.text())
}

/** Does tasks as a person does, and measures how long they wait for each thing. */
export class User {
  readonly page: Page
  readonly #url: string
  #waits: number[] = []

  constructor(page: Page, url: string) {
    this.page = page
    this.#url = url
  }

  /** @returns the longest wait, in ms; @throws Error unless it is found and done */
  async do({ at, way, act, shows, stored }: Task): Promise<number> {
    await this.page.goto(this.#url + (typeof at === 'string' ? at : await at(this)))
    await this.page.locator('h1').first().waitFor()
    await this.page.waitForLoadState('networkidle')
    this.#waits = []
    if ('words' in way) await this.command(way.words, way.row)
    else for (const place of way.clicks) await this.click(place)
    await act?.(this)
    await this.sees(shows)
    const longest = Math.max(...this.#waits)
    // Changes are displayed before the server has them.
    if (stored && !(await until(() => stored(this), LOOK_MS))) throw new Error('It is displayed, but not stored.')
    return longest
  }

  /** Types words into the palette, and chooses a row, which has to be one of the first. */
  async command(words: string, row: string): Promise<void> {
    await this.press('Control+k')
    await this.type(page => page.getByRole('combobox', { name: 'Search', exact: true }), words)
    const options = this.page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
    await this.sees(() => options.filter({ hasText: row }))
    const texts = await options.allTextContents()
    const at = texts.findIndex(text => text.includes(row))
    if (at >= MAX_ROWS_READ) throw new Error(`“${words}” finds ${row} below ${texts.slice(0, at).join(', ')}.`)
    await this.#timed(() => options.nth(at).click())
  }
  click(place: Place): Promise<void> {
    return this.#timed(async () => (await this.#visible(place)).click())
  }
  type(place: Place, text: string): Promise<void> {
    return this.#timed(async () => (await this.#visible(place)).fill(text))
  }
  /** Writes into a rich text. */
  async write(label: string, text: string): Promise<void> {
    await this.click(field(label))
    await this.sees(page => page.locator(`[contenteditable][aria-label="${label}"]:focus`))
    await this.#timed(() => this.page.keyboard.type(text))
  }
  press(keys: string): Promise<void> {
    return this.#timed(() => this.page.keyboard.press(keys))
  }
  /** Chooses an option of an open picker. */
  choose(label: string, option: string): Promise<void> {
    return this.click(page =>
      page.getByRole('listbox', { name: label, exact: true }).getByText(option, { exact: true })
    )
  }
  sees(place: Place): Promise<void> {
    return this.#timed(() => this.#visible(place))
  }

  /** Reads from the server as the interface does. */
  async read<T>(path: string): Promise<T> {
    const answer = await this.page.request.get(this.#url + path, { headers: SAME_ORIGIN })
    if (!answer.ok()) throw new Error(await answer.text())
    return (await answer.json()) as T
  }

  /** Playwright looks again only after half a second. */
  async #visible(place: Place): Promise<Locator> {
    const element = place(this.page).first()
    if (await until(() => element.isVisible(), LOOK_MS)) return element
    await element.waitFor()
    return element
  }
  async #timed(action: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    await action()
    this.#waits.push(performance.now() - start)
  }
}

const LOOK_MS = 10
const MAX_LOOKS = 300
async function until(isTrue: () => Promise<boolean>, pauseMs: number): Promise<boolean> {
  for (let n = 0; n < MAX_LOOKS; n++) {
    if (await isTrue()) return true
    await sleep(pauseMs)
  }
  return false
}
