import { useSearchParams } from 'wouter'
import type { Listing, SavedListings } from '../../../issues/ui/contract.ts'
import { announce, Button, Icon, reportProblem, useCommands } from '../../../ui/browser/contract.ts'
import { PageStar } from '../favourites/star.tsx'
import { contentOf, listingOf, useRights, useViewChanges, useViews, type View } from './data.ts'
import { openViewDialog } from './open-dialog.tsx'
import styles from './saved.module.css'
import { ViewMenu } from './view-menu.tsx'

function useViewOf(params: URLSearchParams): View | 'loading' | 'missing' | undefined {
  const id = params.get('view')
  const { data: views, isFetching, isError } = useViews()
  if (id === null) return undefined
  const view = views?.find(view => view.id === id)
  return view ?? (isError || (views && !isFetching) ? 'missing' : 'loading')
}
function useOpenView(): View | undefined {
  const [params] = useSearchParams()
  const view = useViewOf(params)
  return typeof view === 'object' ? view : undefined
}

function Heading() {
  const view = useOpenView()
  if (!view) return null
  const { id, name, icon } = view
  return (
    <div className={styles['heading']}>
      <h1>
        <span aria-hidden>{icon ?? <Icon name="view" />}</span>
        <span>{name}</span>
      </h1>
      <span className={styles['star']}>
        <PageStar favourite={{ type: 'view', id, name }} section="View" />
      </span>
      <ViewMenu view={view} />
    </div>
  )
}

const saveAs = (listing: Listing, title: string) => () =>
  openViewDialog({ title, body: { name: '', icon: null, isShared: false, ...contentOf(listing) } })

function Actions({ listing }: { listing: Listing }) {
  return useOpenView() || !listing.isChanged ? null : <NewView listing={listing} />
}
function Changes({ listing }: { listing: Listing }) {
  const view = useOpenView()
  return view && listing.isChanged ? <ChangedView view={view} listing={listing} /> : null
}

function NewView({ listing }: { listing: Listing }) {
  const save = saveAs(listing, 'Save view')
  useCommands([{ id: 'saveView', title: 'Save as a view…', words: 'filter', section: 'View', run: save }])
  return (
    <Button kind="quiet" aria-label="Save view" title="Save view" onClick={save}>
      <Icon name="view" />
      <span className={styles['word']}>Save view</span>
    </Button>
  )
}

/** Unsaved changes of a view are in the address. */
function ChangedView({ view, listing }: { view: View; listing: Listing }) {
  const { canChange } = useRights(view)
  const { change, isPending } = useViewChanges()
  const { id, filters, orderBy, layout } = view
  const { reset } = listing
  async function save(): Promise<void> {
    try {
      const saved = await change(id, contentOf(listing), { filters, orderBy, layout })
      announce(`The view ${saved.name} is saved`)
      reset(saved.layout)
    } catch (error) {
      reportProblem(error)
    }
  }
  const saveNew = saveAs(listing, 'Save as new view')
  useCommands([
    ...(canChange ? [{ id: 'saveView', title: 'Save the view', section: 'View', run: save }] : []),
    { id: 'saveNewView', title: 'Save as new view…', section: 'View', run: saveNew },
    { id: 'resetView', title: 'Reset the view', section: 'View', run: () => reset() }
  ])
  return (
    <div className={styles['changes']} role="group" aria-label="Changed view">
      <span className={styles['changed']}>Changed</span>
      <Button kind="quiet" onClick={() => reset()}>
        Reset
      </Button>
      <Button kind="quiet" onClick={saveNew}>
        Save as new view
      </Button>
      {canChange && (
        <Button disabled={isPending} onClick={save}>
          Save
        </Button>
      )}
    </div>
  )
}

export const savedViews: SavedListings = {
  useSaved(params) {
    const view = useViewOf(params)
    return typeof view === 'object' ? listingOf(view) : view
  },
  Heading,
  Actions,
  Changes
}
