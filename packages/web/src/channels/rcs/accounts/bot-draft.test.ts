import type { PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { expect, test } from 'vitest'
import { draftOfBot, emptyBot, fieldOf, readBot, readChange } from './bot-draft.ts'

const id = '01a2134f-9d67-7000-8ff3-4dec41a8b9f8'
const details: PartialBotDetails = {
  name: 'Acme',
  brandName: 'Acme Retail',
  description: 'Orders',
  color: '#0b5a6e',
  logoId: id,
  bannerId: id,
  phoneNumbers: [
    { number: '+918047181000', label: 'Orders' },
    { number: '+918047181001', label: 'Returns' },
  ],
  emails: [],
  websites: [{ url: 'https://acme.example', label: 'Shop' }],
  privacyUrl: 'https://acme.example/privacy',
  termsUrl: 'https://acme.example/terms',
  useCase: 'otp',
  billing: 'conversational',
  hosting: 'europe',
  review: {
    contactName: 'Asha',
    contactTitle: 'Head',
    contactEmail: 'asha@acme.example',
    website: 'https://acme.example',
    optIn: 'At the till',
    trigger: 'An order',
    interactions: 'Tracking',
    optOut: 'STOP',
  },
}

test('what is not changed in the form is kept, every contact with its label', () => {
  expect(readBot(draftOfBot({ details, name: 'Acme' }))).toEqual({ details })
})

test('an error is shown at the contact it is about, also behind an empty one', () => {
  const draft = {
    ...draftOfBot({ details, name: 'Acme' }),
    emails: [
      { text: '', label: 'Help' },
      { text: 'nobody', label: 'Help' },
    ],
  }
  expect(readBot(draft)).toEqual({ errors: { 'emails.1.text': 'Enter an email address' } })
  expect(fieldOf(['phoneNumbers'], emptyBot)).toBe('contacts')
})

test('what is emptied in the form is removed, as far as the bot need not have it', () => {
  const draft = { ...draftOfBot({ details: { ...details, entityId: '1'.repeat(19) }, name: 'Acme' }), entityId: '' }
  expect(readChange(draft, { isManaged: true })).toEqual({ details: { ...details, entityId: null } })
  const bare = { ...draft, privacyUrl: '', logoId: '', phoneNumbers: [], websites: [] }
  const unreviewed = { contactName: '', contactTitle: '', contactEmail: '', optIn: '', trigger: '' }
  const empty = { ...bare, ...unreviewed, interactions: '', optOut: '' }
  expect(readChange(empty, { isManaged: false })).toMatchObject({
    details: { privacyUrl: '', logoId: '', phoneNumbers: [], review: null, entityId: null, name: 'Acme' },
  })
  expect(readChange(empty, { isManaged: true })).toMatchObject({ errors: { logoId: 'Upload the logo' } })
  const wrong = { ...empty, termsUrl: 'nowhere' }
  expect(readChange(wrong, { isManaged: false })).toEqual({ errors: { termsUrl: expect.stringContaining('https://') } })
})
