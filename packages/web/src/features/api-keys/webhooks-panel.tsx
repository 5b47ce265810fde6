import { Suspense } from 'react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { ApiTabProps } from './api-tabs.ts'

const WebhooksTab = lazyComponent(() => import('./webhooks/webhooks-tab.tsx').then((part) => part.WebhooksTab))

/** The webhooks, whose code is loaded with the first visit of the tab. */
export function WebhooksPanel(props: ApiTabProps) {
  return (
    <Suspense fallback={<LoadingTab {...props} />}>
      <WebhooksTab {...props} />
    </Suspense>
  )
}

function LoadingTab({ title, tabs }: ApiTabProps) {
  return (
    <Page title={title}>
      <Tabs {...tabs}>
        <div className="py-6 screen-x">
          <Loading label="Loading webhooks">
            <SkeletonLines count={6} />
          </Loading>
        </div>
      </Tabs>
    </Page>
  )
}
