import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import type { Page } from 'playwright-core'

export interface Pasted {
  markdown: string
  /** The text of the page from which it comes. */
  visible: string
  /** The number of addresses of which a note tells. */
  leftOut: number
}

/** An editor as the interface has it, whose text is read after each paste. */
const PAGE = `
  import { EditorState, Selection } from 'prosemirror-state'
  import { EditorView } from 'prosemirror-view'
  import { history } from 'prosemirror-history'
  import { makeClipboard } from './plugins/ui/browser/editor/paste/clipboard.ts'
  import { parse, serialize } from './lib/rich-text/index.ts'
  const view = new EditorView(document.body.appendChild(document.createElement('div')), {
    state: EditorState.create({ doc: parse('a') })
  })
  const shown = document.body.appendChild(document.createElement('div'))
  window.paste = (before, html) => {
    let leftOut = 0
    const note = addresses => {
      leftOut = addresses
    }
    const doc = parse(before)
    const plugins = [makeClipboard(note), history()]
    view.updateState(EditorState.create({ doc, plugins, selection: Selection.atEnd(doc) }))
    view.pasteHTML(html)
    // Handlers and addresses of the text must not run here, either.
    shown.innerHTML = html.replaceAll(/on\\w+=|javascript:/gi, '')
    const visible = shown.innerText
    shown.replaceChildren()
    return { markdown: serialize(view.state.doc), visible, leftOut }
  }`

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Adds the editor to a page. */
export async function addPasting(page: Page): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'iife',
    write: false,
    tsconfigRaw: {},
    alias: { 'prosemirror-markdown': `${root}/node_modules/prosemirror-markdown/src/schema.ts` }
  })
  await stop()
  await page.addScriptTag({ content: outputFiles[0]!.text })
}

/** Pastes HTML at the end of a Markdown text. */
export function paste(page: Page, before: string, html: string): Promise<Pasted> {
  const [text, pasted] = [JSON.stringify(before), JSON.stringify(html)]
  return page.evaluate<Pasted>(`window.paste(${text}, ${pasted})`)
}
