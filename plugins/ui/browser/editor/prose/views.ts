import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { prefix } from '../../go.ts'
import { findFileSupport } from '../files/uploads.ts'

export class ItemView implements NodeView {
  readonly dom = document.createElement('li')
  readonly contentDOM = document.createElement('div')
  readonly #box: HTMLInputElement | undefined

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    if (node.attrs['checked'] !== null) this.#box = this.#makeBox(view, getPos)
    this.dom.append(this.contentDOM)
    this.update(node)
  }

  #makeBox(view: EditorView, getPos: () => number | undefined): HTMLInputElement {
    const box = this.dom.appendChild(document.createElement('input'))
    box.type = 'checkbox'
    box.contentEditable = 'false'
    box.ariaLabel = 'Met'
    // The focus stays in the text: a focused box would receive the next keys.
    box.tabIndex = -1
    box.addEventListener('mousedown', event => event.preventDefault())
    box.addEventListener('change', () => {
      const position = getPos()
      if (position !== undefined) view.dispatch(view.state.tr.setNodeAttribute(position, 'checked', box.checked))
    })
    return box
  }

  update(node: Node): boolean {
    const checked: unknown = node.attrs['checked']
    if (node.type.name !== 'list_item' || (checked === null) !== (this.#box === undefined)) return false
    if (this.#box) {
      this.#box.checked = checked === true
      this.dom.dataset['task'] = ''
      this.dom.dataset['checked'] = String(checked)
    }
    return true
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#box
  }

  ignoreMutation(mutation: { target: globalThis.Node; type: string }): boolean {
    return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target)
  }
}

/** An image of another host is not loaded, and a file may be none: its name is displayed instead. */
export function imageView({ attrs }: Node): NodeView {
  const address = String(attrs['src'])
  const files = findFileSupport()
  const isFile = files?.isFile(address) === true
  const box = isFile ? files.boxOf(address) : undefined
  const dom = document.createElement('span')
  function showName(): void {
    dom.dataset['image'] = ''
    dom.textContent = `${isFile ? 'File' : 'Image'}: ${String(attrs['alt'] ?? address)}`
  }
  if (!box) {
    showName()
    return { dom }
  }
  const image = dom.appendChild(document.createElement('img'))
  Object.assign(image.style, box)
  image.alt = String(attrs['alt'] ?? '')
  image.addEventListener('error', showName)
  image.src = prefix + address
  return { dom }
}
