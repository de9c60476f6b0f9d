import { useQuery } from '@tanstack/react-query'
import { api } from './data/api.ts'
import { ErrorNote, Skeleton } from './parts/bits.tsx'
import { Lead, Line, Lines, LineText } from './settings/settings-parts.tsx'

interface Plugin {
  name: string
  summary: string
  health: Record<string, unknown>
}

export default function Plugins() {
  const { data: plugins, error } = useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => api<Plugin[]>('/v1/plugins', { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!plugins) return <Skeleton />
  return (
    <>
      <Lead>The operator of the server turns plugins on and off, in its settings.</Lead>
      <Lines label="Plugins">
        {plugins.map(({ name, summary, health }) => (
          <Line key={name}>
            <LineText title={name}>{summary}</LineText>
            <span>{describe(health)}</span>
          </Line>
        ))}
      </Lines>
    </>
  )
}

const describe = ({ state, ...rest }: Record<string, unknown>): string =>
  [
    String(state ?? 'on'),
    ...Object.entries(rest).flatMap(([name, value]) => (typeof value === 'number' ? [`${name} ${value}`] : []))
  ].join(' · ')
