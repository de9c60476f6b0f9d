import { Plugin } from 'prosemirror-state'
import type { Colouring } from './code-colours.ts'

/** Code has colours when their script is loaded; without it, code stays plain. */
export const makeColourPlugin = (): Plugin =>
  new Plugin({
    view(view) {
      let colouring: Colouring | undefined
      import('./code-colours.ts').then(
        module => {
          if (!view.isDestroyed) colouring = new module.Colouring(view)
        },
        () => undefined
      )
      return {
        update: (_view, before) => colouring?.update(before),
        destroy: () => colouring?.destroy()
      }
    }
  })
