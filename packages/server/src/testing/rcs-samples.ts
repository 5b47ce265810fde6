import { newId } from '../lib/ids.ts'
import { grayPng } from './gray-png.ts'

/** The id of the first bot of every organisation with fixtures. */
export const sampleBot = 'sample_bot'

/** Settings of a bot at a provider that cannot be reached. */
export const botConfig = () => ({
  serverUrl: 'http://127.0.0.1:9/rcs',
  authUrl: 'http://127.0.0.1:9/token',
  clientId: 'sample-client',
  clientSecret: 'sample-secret',
  adminId: 'sample-admin',
  adminSecret: 'sample-admin-secret',
})

export const logo = { name: 'logo.png', content: grayPng(224, 224), type: 'image/png' }

export const botDetails = () => ({
  name: 'Acme Retail',
  brandName: 'Acme',
  description: 'Orders and offers of Acme',
  color: '#0f766e',
  logoId: newId(),
  bannerId: newId(),
  emails: [{ address: 'care@acme.example', label: 'Customer care' }],
  privacyUrl: 'https://acme.example/privacy',
  termsUrl: 'https://acme.example/terms',
  useCase: 'transactional',
})

const rcsCard = () => ({ cardTitle: 'Hello', fileId: newId() })

export const rcsTemplate = () => ({
  name: `rcs_${newId()}`,
  type: 'rich_card_standalone',
  standAlone: rcsCard(),
  carouselList: [{ order: 0, ...rcsCard() }],
})
