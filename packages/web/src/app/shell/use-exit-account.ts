import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { reportExit } from '../../lib/impersonation.ts'
import { leaveImpersonation, useSession } from '../../lib/session.ts'

/** Leaves another's account: the server ends its session, this tab forgets everything and closes, or shows the login. */
export function useExitAccount(): () => Promise<void> {
  const { impersonation } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    if (impersonation) await reportExit(impersonation)
    leaveImpersonation()
    queries.clear()
    window.close()
    await navigate({ to: '/', replace: true })
  }
}
