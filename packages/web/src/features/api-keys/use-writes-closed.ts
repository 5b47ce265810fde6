import { useSession } from '../../lib/session.ts'

/** Why keys and key configs cannot be changed here; undefined if they can. */
export function useWritesClosed(): string | undefined {
  return useSession().impersonation ? 'Not allowed while viewing another account' : undefined
}
