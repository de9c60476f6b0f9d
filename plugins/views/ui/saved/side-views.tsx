import { Icon, SideLink, SideList } from '../../../ui/browser/contract.ts'
import { addressOfView, useViews } from './data.ts'
import { ViewMenu } from './view-menu.tsx'

export const useHasViews = (): boolean => (useViews().data?.length ?? 0) > 0

export function SideViews() {
  const { data: views = [] } = useViews()
  return (
    <SideList label="Views">
      {views.map(view => (
        <li key={view.id}>
          <SideLink
            href={addressOfView(view)}
            icon={view.icon ?? <Icon name="view" />}
            title={view.name}
            menu={<ViewMenu view={view} />}
          />
        </li>
      ))}
    </SideList>
  )
}
