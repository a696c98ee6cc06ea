import { useMutation } from '@tanstack/react-query'
import { signOut } from '../api/client.ts'
import { Button } from '../ui/index.ts'

export function SignOutButton() {
  const leave = useMutation({ mutationFn: signOut })
  return <Button onClick={() => leave.mutate()}>Sign out</Button>
}
