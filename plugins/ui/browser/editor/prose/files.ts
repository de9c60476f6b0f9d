import { Plugin, PluginKey, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { Node } from 'prosemirror-model'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import type { StoredFile } from '../../registry.ts'
import { isImage, type PutFile, type Uploads } from '../files/uploads.ts'

type Change = { add: object; at: number; name: string } | { remove: object }
const places = new PluginKey<DecorationSet>('files')

/** A mark shows where each file will be, and moves with the text. */
export const makeFilePlugin = (uploads: Uploads): Plugin =>
  new Plugin({
    key: places,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, before: DecorationSet) {
        const set = before.map(tr.mapping, tr.doc)
        const change = tr.getMeta(places) as Change | undefined
        if (change === undefined) return set
        if ('remove' in change) return set.remove(set.find(undefined, undefined, spec => spec['id'] === change.remove))
        // Text that is typed at its place follows it.
        const options = { id: change.add, side: -1 }
        return set.add(tr.doc, [Decoration.widget(change.at, () => placeholder(change.name), options)])
      }
    },
    props: {
      decorations(state) {
        return places.getState(state)
      },
      handlePaste: (view, { clipboardData }) => accept(view, uploads, clipboardData),
      handleDrop(view, { dataTransfer, clientX, clientY }) {
        const place = view.posAtCoords({ left: clientX, top: clientY })
        const { tr } = view.state
        return accept(view, uploads, dataTransfer, place ? placeCursor(tr, place.pos) : tr)
      }
    }
  })

function accept(view: EditorView, uploads: Uploads, data: DataTransfer | null, tr = view.state.tr): boolean {
  const files = uploads.filesIn(data)
  if (files.length === 0) return false
  view.dispatch(tr.deleteSelection())
  uploads.add(files)
  return true
}

/** Between blocks without text, such as raw HTML, files go into a new paragraph. */
function placeCursor(tr: Transaction, at: number): Transaction {
  const near = Selection.near(tr.doc.resolve(at))
  if (near instanceof TextSelection) return tr.setSelection(near)
  tr.insert(at, schema.nodes.paragraph.create())
  return tr.setSelection(TextSelection.create(tr.doc, at + 1))
}

function placeholder(name: string): HTMLElement {
  const element = document.createElement('span')
  element.dataset['image'] = ''
  element.textContent = `Uploading ${name}…`
  return element
}

/** @param append adds a file to the text after the editor has gone */
export function markPlace(view: EditorView, name: string, append: (file: StoredFile) => void): PutFile {
  const id = {}
  const change: Change = { add: id, at: view.state.selection.to, name }
  view.dispatch(view.state.tr.setMeta(places, change))
  return file => {
    if (view.isDestroyed) return file && append(file)
    const { tr, selection } = view.state
    const [mark] = places.getState(view.state)!.find(undefined, undefined, spec => spec['id'] === id)
    const remove: Change = { remove: id }
    tr.setMeta(places, remove)
    view.dispatch(file ? insertFile(tr, mark?.from ?? selection.to, fileNode(file)) : tr)
  }
}

function fileNode(file: StoredFile): Node {
  const { name, url } = file
  if (isImage(file)) return schema.nodes.image.create({ src: url, alt: name })
  return schema.text(name, [schema.marks.link.create({ href: url })])
}

/** Code has no images and links: the file follows it. */
function insertFile(tr: Transaction, at: number, node: Node): Transaction {
  const place = tr.doc.resolve(at)
  if (!place.parent.type.spec.code) return tr.insert(at, node)
  return tr.insert(place.after(), schema.nodes.paragraph.create(null, node))
}
