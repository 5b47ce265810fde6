import type { ChannelRecords } from '../channel-records.ts'

export const smsRecords: ChannelRecords = {
  actions: {
    'sms_account.created': 'connected an SMS account',
    'sms_account.deleted': 'deleted an SMS account',
    'sms_account.updated': 'changed an SMS account',
  },
  actionGroups: [{ value: 'sms_account', label: 'SMS accounts' }],
  optOuts: [{ scope: 'sms', label: 'SMS', help: 'Receives no SMS from you' }],
  optOutList: 'sms',
}
