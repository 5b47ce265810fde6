import type { SmsTemplate } from '@carillon/contract/templates'
import { Copy, Pencil, Send } from 'lucide-react'
import { useGo } from '../../ui/area-link.tsx'
import type { MenuItem } from '../../ui/menu.tsx'

export function useTemplateMenu(): (template: SmsTemplate) => MenuItem[] {
  const go = useGo()
  return ({ _id, status }) => [
    { label: 'Edit', icon: Pencil, onSelect: () => go('manage-templates/create-sms', { c: _id }) },
    { label: 'Duplicate', icon: Copy, onSelect: () => go('manage-templates/create-sms', { c: _id, v: '1' }) },
    {
      label: 'Use in campaign',
      icon: Send,
      onSelect: () => go('campaigns/sms-campaign-creation', { m: _id }),
      disabled: status === 'approved' ? undefined : 'Only approved templates are sent',
    },
  ]
}
