import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { reportExit } from '../../lib/impersonation.ts'
import { leaveImpersonation, useSession } from '../../lib/session.ts'

/** Ends an impersonation: on the server and in this tab, which closes or shows the login page. */
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
