import { contributions, Icon, SideLink, SideList } from '../../ui/browser/contract.ts'
import { teamPlaces } from './contract.ts'
import { useDirectory } from './directory.ts'
import styles from './side-teams.module.css'

export const useHasTeamPlaces = (): boolean => contributions(teamPlaces).length > 0

/** Each team leads to its first page, and has its others below it. */
export function SideTeams() {
  const teams = useDirectory()?.teams ?? []
  const [first, ...others] = contributions(teamPlaces).toSorted((a, b) => a.order - b.order)
  return (
    <SideList label="Teams">
      {teams.map(({ id, name, identifier }) => (
        <li key={id} className={styles['team']}>
          <SideLink
            href={first!.href(identifier)}
            icon={<span className={styles['mark']}>{identifier.slice(0, 1)}</span>}
            title={name}
          />
          {others.length > 0 && (
            <SideList label={name}>
              {others.map(({ title, icon, href }) => (
                <li key={title}>
                  <SideLink href={href(identifier)} icon={<Icon name={icon} />} title={title} />
                </li>
              ))}
            </SideList>
          )}
        </li>
      ))}
    </SideList>
  )
}
