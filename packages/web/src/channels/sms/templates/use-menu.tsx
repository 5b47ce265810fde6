import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { Copy, Pencil, Send, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useGo } from '../../../ui/area-link.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { DeleteTemplateDialog } from './delete-dialog.tsx'

/** A template's menu together with the dialog that it opens. */
export function useTemplateMenu(): { menu: (template: SmsTemplate) => MenuItem[]; dialog: ReactNode } {
  const go = useGo()
  const [deleting, setDeleting] = useState<SmsTemplate>()
  const menu = (template: SmsTemplate): MenuItem[] => {
    const { _id, status } = template
    const remove = { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => setDeleting(template) }
    return [
      { label: 'Edit', icon: Pencil, onSelect: () => go('manage-templates/create-sms', { c: _id }) },
      { label: 'Duplicate', icon: Copy, onSelect: () => go('manage-templates/create-sms', { c: _id, v: '1' }) },
      {
        label: 'Use in campaign',
        icon: Send,
        onSelect: () => go('campaigns/sms-campaign-creation', { m: _id }),
        disabled: status === 'approved' ? undefined : 'Only approved templates can be sent',
      },
      ...(mayCall('smsTemplates.delete') ? [remove] : []),
    ]
  }
  return {
    menu,
    dialog: deleting ? <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(undefined)} /> : null,
  }
}
