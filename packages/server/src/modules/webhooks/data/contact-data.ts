import type { Describe } from './occurrence.ts'

export const describeOptOuts: Describe<'person.opted_out'> = async (_db, events) =>
  events.map(({ payload: { phone, channel, keyword, source, marketingOnly } }) => {
    const phoneNumber = `+${phone}`
    const data = { phoneNumber, channel, keyword, source, marketingOnly }
    return [{ type: 'contact.opted_out', data, visibleTo: 'organization', orderKey: phoneNumber }]
  })

export const describeOptIns: Describe<'person.opted_in'> = async (_db, events) =>
  events.map(({ payload: { phone, channel } }) => {
    const phoneNumber = `+${phone}`
    return [
      { type: 'contact.opted_in', data: { phoneNumber, channel }, visibleTo: 'organization', orderKey: phoneNumber },
    ]
  })
