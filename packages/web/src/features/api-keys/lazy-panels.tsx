import { Suspense, type ReactNode } from 'react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { ApiTabProps } from './api-tabs.ts'

const RequestsTab = lazyComponent(() => import('./requests/requests-tab.tsx').then((part) => part.RequestsTab))
const WebhooksTab = lazyComponent(() => import('./webhooks/webhooks-tab.tsx').then((part) => part.WebhooksTab))

/** Tabs whose code is loaded with their first visit. */
export function RequestsPanel(props: ApiTabProps) {
  return (
    <LazyPanel {...props} label="Loading requests">
      <RequestsTab {...props} />
    </LazyPanel>
  )
}

export function WebhooksPanel(props: ApiTabProps) {
  return (
    <LazyPanel {...props} label="Loading webhooks">
      <WebhooksTab {...props} />
    </LazyPanel>
  )
}

function LazyPanel({ title, tabs, label, children }: ApiTabProps & { label: string; children: ReactNode }) {
  const loading = (
    <Page title={title}>
      <Tabs {...tabs}>
        <div className="py-6 screen-x">
          <Loading label={label}>
            <SkeletonLines count={6} />
          </Loading>
        </div>
      </Tabs>
    </Page>
  )
  return <Suspense fallback={loading}>{children}</Suspense>
}
