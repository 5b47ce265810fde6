import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { mayCall } from '../../../lib/call.ts'
import { useTemplateMenu } from '../../parts/templates/use-template-menu.tsx'
import { DeleteTemplateDialog } from './delete-dialog.tsx'
import { smsTemplateScreens } from './screens.ts'

export function useSmsTemplateMenu() {
  return useTemplateMenu<SmsTemplate>({
    screens: smsTemplateScreens,
    idOf: ({ _id }) => _id,
    sendableId: ({ _id, status }) => (status === 'approved' ? _id : undefined),
    mayDelete: mayCall('smsTemplates.delete'),
    deleteDialog: (template, onClose) => <DeleteTemplateDialog template={template} onClose={onClose} />,
  })
}
