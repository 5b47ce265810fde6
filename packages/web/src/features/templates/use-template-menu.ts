import type { SmsTemplate } from '@carillon/contract/templates'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Send } from 'lucide-react'
import { areaPrefix } from '../../lib/areas.ts'
import { useUser } from '../../lib/session.ts'
import type { MenuItem } from '../../ui/menu.tsx'

/** Opens a place of the reader's own area. */
export function useGo(): (path: string, search?: Record<string, string>) => void {
  const navigate = useNavigate()
  const user = useUser()
  return (path, search = {}) => {
    if (user) void navigate({ to: `${areaPrefix[user.type]}/${path}`, search: search as never })
  }
}

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
