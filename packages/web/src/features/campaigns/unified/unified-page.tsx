import { mayCall } from '../../../lib/call.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Comparison } from './comparison.tsx'
import { NewUnified } from './new-unified.tsx'
import { UnifiedList } from './unified-list.tsx'
import { unifiedTabs, unifiedView } from './unified-view.ts'
import { Week } from './week.tsx'

const title = 'Unified campaigns'

/** Campaigns over several channels: their list, the week, and a comparison. */
export function UnifiedPage() {
  const [view, setView] = useView(unifiedView)
  if (!mayCall('campaigns.unified')) {
    return (
      <Page title={title}>
        <Denied />
      </Page>
    )
  }
  const tabs = {
    label: 'Views of the campaigns',
    value: view.tab,
    items: [
      { value: 'list', label: 'List' },
      { value: 'week', label: 'Week' },
      { value: 'compare', label: 'Compare', count: view.ids.length > 0 ? view.ids.length : undefined },
    ],
    onValueChange: (value: string) =>
      setView({ tab: unifiedTabs.find((tab) => tab === value) ?? 'list', openId: undefined }),
  }
  if (view.tab === 'list')
    return <UnifiedList view={view} setView={setView} title={title} tabs={tabs} actions={<NewUnified />} />
  return (
    <Page title={title} actions={<NewUnified />}>
      <Tabs {...tabs} />
      {view.tab === 'week' ? <Week view={view} setView={setView} /> : <Comparison view={view} setView={setView} />}
    </Page>
  )
}
