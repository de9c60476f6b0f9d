import { useQuery } from '@tanstack/react-query'
import {
  Avatar,
  ErrorNote,
  havePictures,
  Lead,
  Line,
  Lines,
  NameField,
  PictureField,
  rememberEmail,
  SessionActions,
  Skeleton,
  useRequest
} from '../../../ui/browser/contract.ts'
import { ME_IS_IN, meQuery, type Me } from './me.ts'

export default function You() {
  const { data: me, error } = useQuery(meQuery)
  const change = useRequest<Me>(...ME_IS_IN)
  if (error) return <ErrorNote error={error} />
  if (!me) return <Skeleton />
  const { id, fullname, email } = me
  const save = (body: object) =>
    change.mutateAsync(
      { path: `/v1/users/${id}`, body },
      {
        onSuccess(changed) {
          if (changed.email !== null) rememberEmail(changed.email)
        }
      }
    )
  return (
    <>
      <Lead>The name that others see, and the e-mail address that you sign in with.</Lead>
      <Lines label="You">
        <Line>
          <Avatar name={fullname} id={id} />
          <NameField
            label="Your name"
            name={fullname}
            onRename={(name, previous) => save({ fullname: name, previous: { fullname: previous } })}
          />
          <NameField
            label="Your e-mail address"
            name={email ?? ''}
            onRename={(address, previous) => save({ email: address, previous: { email: previous || null } })}
          />
        </Line>
        {havePictures() && (
          <Line>
            <PictureField id={id} name={fullname} />
          </Line>
        )}
      </Lines>
      {change.error && <ErrorNote error={change.error} />}
      <SessionActions />
    </>
  )
}
