import type { ChannelRecords } from '../channel-records.ts'

export const rcsRecords: ChannelRecords = {
  actions: {},
  actionGroups: [],
  optOuts: [
    { scope: 'rcs_marketing', label: 'RCS marketing', help: 'Still receives confirmations, updates and codes' },
    { scope: 'rcs', label: 'RCS', help: 'Receives nothing from you on RCS' },
  ],
  optOutList: 'rcs',
}
