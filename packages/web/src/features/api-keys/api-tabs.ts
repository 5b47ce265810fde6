import type { TabItem } from '../../ui/tabs.tsx'
import type { ApiTab } from './api-keys-view.ts'

/** The tabs, in the order in which they are shown. */
export const apiTabItems: readonly TabItem<ApiTab>[] = [
  { value: 'keys', label: 'Keys' },
  { value: 'configs', label: 'Key configs' },
  { value: 'requests', label: 'Requests' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'quickstart', label: 'Quickstart' },
]

export type ApiTabProps = {
  title: string
  tabs: {
    label: string
    items: readonly TabItem<ApiTab>[]
    value: ApiTab
    onValueChange: (value: string) => void
  }
}
