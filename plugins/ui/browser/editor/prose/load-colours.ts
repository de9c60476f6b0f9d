import { Plugin } from 'prosemirror-state'
import type { Colouring } from './code-colours.ts'

/** Without its script, code stays plain. */
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
