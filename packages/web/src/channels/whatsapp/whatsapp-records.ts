import type { ChannelRecords } from '../channel-records.ts'

export const whatsappRecords: ChannelRecords = {
  actions: {
    'whatsapp_account.changed': 'changed a WhatsApp account',
    'whatsapp_account.connected': 'connected a WhatsApp account',
    'whatsapp_account.disconnected': 'disconnected a WhatsApp account',
    'whatsapp_number.activated': 'switched a WhatsApp number on',
    'whatsapp_number.deactivated': 'switched a WhatsApp number off',
    'whatsapp_number.profile_changed': 'changed a WhatsApp business profile',
    'whatsapp_solution.chosen': 'chose a WhatsApp solution partner',
  },
  actionGroups: [],
  optOuts: [
    {
      scope: 'whatsapp_marketing',
      label: 'WhatsApp marketing',
      help: 'Still receives confirmations, updates and codes',
    },
    { scope: 'whatsapp', label: 'WhatsApp', help: 'Receives nothing from you on WhatsApp' },
  ],
  optOutList: 'whatsapp',
  appOptOut: { label: 'WhatsApp settings', text: 'Stopped marketing in WhatsApp' },
}
