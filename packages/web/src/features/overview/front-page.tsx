import { useUser } from '../../lib/session.ts'
import { OverviewPage } from './overview-page.tsx'
import { TeamOverview } from './team-overview.tsx'
import { UserOverview } from './user-overview.tsx'

/** The start page of an organisation's area, by role. */
export function FrontPage() {
  const user = useUser()
  if (user?.type === 'user') return <UserOverview />
  return user?.type === 'department_head' ? <TeamOverview /> : <OverviewPage />
}
