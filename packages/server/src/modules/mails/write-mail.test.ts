import { expect, test } from 'vitest'
import { htmlOf } from './write-mail.ts'

const brand = { name: 'Deccan Messaging', color: '#0f766e' }

test.each([
  ['https://carillon.test/register?t=1', 'Accept invitation'],
  ['https://carillon.test/reset-password?t=1', 'Set password'],
  ['https://carillon.test/reset-password?e=1', 'Review the change'],
  ['https://carillon.test/forget-password', 'Reset password'],
  ['https://carillon.test/', 'Log in'],
  ['/organization/campaigns', 'Open Deccan Messaging'],
])('the button of a mail with the link %s is labelled %s', (link, action) => {
  expect(htmlOf({ subject: 'A mail', body: 'Read it.', link }, brand)).toContain(`>${action}</a>`)
})
