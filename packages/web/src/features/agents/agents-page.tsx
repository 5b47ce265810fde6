import { useUser } from '../../lib/session.ts'
import { useView } from '../../lib/use-view.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AgentsTab } from './agents-tab.tsx'
import { agentsView, type AgentTab } from './agents-view.ts'
import { AssignmentTab } from './assignment-tab.tsx'
import { RepliesTab } from './replies-tab.tsx'
import { TeamsTab } from './teams-tab.tsx'

const title = 'Team Members'

const items = [
  { value: 'agents', label: 'Agents' },
  { value: 'teams', label: 'Teams' },
  { value: 'assignment', label: 'Assignment and hours' },
  { value: 'replies', label: 'Canned replies' },
] as const satisfies readonly { value: AgentTab; label: string }[]

const panels = { teams: TeamsTab, assignment: AssignmentTab, replies: RepliesTab }

/** Who answers conversations, in which teams, when, and with which texts. */
export function AgentsPage() {
  const [{ tab }, setView] = useView(agentsView)
  const user = useUser()
  const tabs = {
    label: title,
    items,
    value: tab,
    // Each tab has its own page and open record.
    onValueChange: (next: string) =>
      setView({ tab: items.find(({ value }) => value === next)?.value ?? 'agents', page: 1, openId: undefined }),
  }
  const isManager = user?.type === 'manager'
  if (tab === 'agents') return <AgentsTab title={title} tabs={tabs} isManager={isManager} />
  const Panel = panels[tab]
  return (
    <Page title={title}>
      <Tabs {...tabs}>
        <Panel isManager={isManager} />
      </Tabs>
    </Page>
  )
}
