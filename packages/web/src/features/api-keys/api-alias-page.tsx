import { Navigate } from '@tanstack/react-router'
import { areaPrefix } from '../../lib/areas.ts'
import { useUser } from '../../lib/session.ts'

/** The short address of the screen. */
export function ApiAliasPage() {
  const user = useUser()
  return user ? <Navigate to={`${areaPrefix[user.type]}/api-management`} replace /> : null
}
