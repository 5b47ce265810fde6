import { expect, test } from 'vitest'
import { navigationOf } from './navigation.ts'

const subItemsOf = (path: string) => navigationOf('manager').find((item) => item.path === path)?.children

test('the channels of each section are listed in the order of the specification', () => {
  expect(subItemsOf('channels')).toEqual([
    { label: 'RCS', path: 'channels/rcs' },
    { label: 'WhatsApp', path: 'channels/whatsapp' },
    { label: 'SMS', path: 'channels/sms' },
  ])
  expect(subItemsOf('manage-templates')).toEqual([
    { label: 'RCS', path: 'manage-templates/rcs' },
    { label: 'SMS', path: 'manage-templates/sms' },
    { label: 'WhatsApp', path: 'manage-templates/whatsapp' },
    { label: 'Unified', path: 'manage-templates/unified' },
  ])
})
