import { go, Menu, offerUndo, type MenuItem } from '../../../ui/browser/contract.ts'
import { useToggle } from '../favourites/star.tsx'
import { addressOfView, bodyOf, useRights, useViewChanges, type View } from './data.ts'
import { openViewDialog } from './open-dialog.tsx'

function useViewItems(view: View): MenuItem[] {
  const { id, name, isShared } = view
  const { canChange, isOwner } = useRights(view)
  const { isFavourite, toggle } = useToggle({ type: 'view', id, name })
  const { create, change, remove } = useViewChanges()
  const share = () =>
    change(id, { isShared: !isShared }, { isShared }).then(() => {
      const [title, undone] = [`${name} is shared`, `${name} is yours alone`]
      const undo = () => change(id, { isShared }, { isShared: !isShared })
      offerUndo(isShared ? { title: undone, undone: title, undo } : { title, undone, undo })
    })
  const duplicate = () =>
    create({ ...bodyOf(view), name: `${name} (copy)`, isShared: false }).then(copy => go(addressOfView(copy)))
  const deleteIt = () =>
    remove(id).then(() => {
      if (new URLSearchParams(location.search).get('view') === id) go(addressOfView(view).split('?')[0]!)
      // A restored view has a new id, so its address is new.
      const undo = () => create(bodyOf(view)).then(restored => go(addressOfView(restored)))
      const [title, undone] = [`The view ${name} is removed`, `The view ${name} is there again`]
      offerUndo({ title, undone, word: 'Restore', undo })
    })
  const edit = () => openViewDialog({ title: 'Edit view', body: bodyOf(view), view })
  return [
    { title: isFavourite ? 'Remove from favourites' : 'Add to favourites', run: toggle },
    ...(canChange ? [{ title: 'Edit name and icon…', run: edit }] : []),
    { title: 'Duplicate', run: duplicate },
    ...(isOwner ? [{ title: isShared ? 'Keep to yourself' : 'Share with the workspace', run: share }] : []),
    ...(canChange ? [{ title: 'Remove', isDangerous: true, run: deleteIt }] : [])
  ]
}

export const ViewMenu = ({ view }: { view: View }) => (
  <Menu label={`Actions on the view ${view.name}`} items={useViewItems(view)} />
)
