import type { ReactNode } from 'react'
import { useView } from '../../lib/use-view.ts'
import { apiKeysView, type ApiTab } from './api-keys-view.ts'
import { apiTabItems, type ApiTabProps } from './api-tabs.ts'
import { ConfigsTab } from './configs-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { RequestsPanel, WebhooksPanel } from './lazy-panels.tsx'
import { QuickstartTab } from './quickstart-tab.tsx'

const title = 'API Control'

const panels: Record<ApiTab, (props: ApiTabProps) => ReactNode> = {
  keys: KeysTab,
  configs: ConfigsTab,
  quickstart: QuickstartTab,
  requests: RequestsPanel,
  webhooks: WebhooksPanel,
}

/** Everything that programs need to use the API. */
export function ApiKeysPage() {
  const [{ tab }, setView] = useView(apiKeysView)
  const Panel = panels[tab]
  return (
    <Panel
      title={title}
      tabs={{
        label: title,
        items: apiTabItems,
        value: tab,
        // Each tab has its own search, filters, page and open record.
        onValueChange: (next) =>
          setView({
            tab: apiTabItems.find(({ value }) => value === next)?.value ?? 'keys',
            search: '',
            status: undefined,
            environment: undefined,
            page: 1,
            openId: undefined,
            endpointId: undefined,
          }),
      }}
    />
  )
}
