import { Link } from 'wouter'

export default function ConnectLink() {
  return (
    <p>
      How a client is connected with the token of an agent: <Link href="/connect">Connect a client</Link>
    </p>
  )
}
