import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappTemplate, WhatsappTemplateInput } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { z } from 'zod'
import type { Client } from './client.ts'
import type { StoryProgress } from './story-progress.ts'

/** The simulated Meta: its address and credentials, and sign-up actions of a customer. */
export type SimulatedGraph = {
  baseUrl: string
  wabaId: string
  token: string
  appId: string
  appSecret: string
  control: {
    signUp(business: Record<string, unknown>): {
      message: { data: { waba_id: string; phone_number_id?: string | undefined } }
    }
    changeNumber(id: string, change: Record<string, unknown>): unknown
    moveCallbacks(address: string): unknown
    describePerson(number: string, person: Record<string, unknown>): unknown
    write(number: string, message: Record<string, unknown>): unknown
  }
}

const offers = { name: 'Acme Offers', phoneNumber: '+91 80 4719 3000' }
const pin = '482913'

/**
 * Connects a WhatsApp account with a number and templates through the API. The simulator's initial account stays
 * unconnected, for users to try the connection.
 */
export async function connectWhatsapp(
  client: Client,
  { graph, progress }: { graph: SimulatedGraph; progress: StoryProgress },
): Promise<string> {
  const waba_id = await progress.step('WhatsApp sign-up', () => signUp(graph))
  await client.call('channels.update', { body: { whatsapp: true } })
  const { _id } = await client.call<WhatsappConnection>('wabas.connect', {
    body: {
      name: 'Acme Offers',
      waba_id,
      accessToken: graph.token,
      appId: graph.appId,
      appSecret: graph.appSecret,
      graphUrl: graph.baseUrl,
    },
  })
  const registered = await client.call<WhatsappConnection>('wabas.runStep', {
    path: { id: _id, step: 'registration' },
    body: { pin },
  })
  const [number] = registered.numbers
  if (number) await client.call('wabas.activate', { body: { id: number._id, isActive: true } })
  for (const template of templates)
    await client.call<WhatsappTemplate>('waTemplates.create', { body: { ...template, waba_id } })
  await client.call('waTemplates.save', { body: { ...unfinished, waba_id } })
  return waba_id
}

/** Raises the messaging limit, as for an established business. */
function signUp({ control }: SimulatedGraph): string {
  const { waba_id, phone_number_id } = control.signUp(offers).message.data
  if (phone_number_id) control.changeNumber(phone_number_id, { limitTier: 'TIER_2K' })
  return waba_id
}

type Template = Omit<z.input<typeof WhatsappTemplateInput>, 'waba_id'>

const shipped: Template = {
  name: 'order_shipped',
  language: 'en',
  category: 'UTILITY',
  components: {
    header: { type: 'HEADER', format: 'TEXT', text: 'Your order is on its way' },
    body: 'Hi {{1}}, your order {{2}} left our store today and reaches you by {{3}}. Reply here if anything is missing.',
    samples: [
      { name: '1', sample: 'Priya' },
      { name: '2', sample: 'A-4821' },
      { name: '3', sample: 'Friday' },
    ],
    footer: 'Acme Retail, Pune',
    buttons: [
      { type: 'URL', text: 'Track it', url: 'https://acme.example/t/{{1}}', sample: 'https://acme.example/t/A-4821' },
      { type: 'QUICK_REPLY', text: 'Call me back' },
    ],
  },
}

/** Templates without variables, with variables, in another language, for marketing, for codes, and one that is rejected. */
const templates: Template[] = [
  {
    name: 'we_are_open',
    language: 'en',
    category: 'UTILITY',
    components: { body: 'Your question has reached the Acme team. We answer here every day from nine to nine.' },
  },
  shipped,
  {
    ...shipped,
    language: 'hi',
    components: {
      ...shipped.components,
      header: { type: 'HEADER', format: 'TEXT', text: 'आपका ऑर्डर रास्ते में है' },
      body: 'नमस्ते {{1}}, आपका ऑर्डर {{2}} आज हमारी दुकान से निकल गया है और {{3}} तक आप तक पहुँच जाएगा। कुछ कमी हो तो यहीं लिखें।',
    },
  },
  {
    name: 'diwali_early_access',
    language: 'en',
    category: 'MARKETING',
    components: {
      body: 'Hi {{1}}, our *Diwali sale* opens for you a day before everyone else. Show the code {{2}} in any Acme store and take 500 off your basket.',
      samples: [
        { name: '1', sample: 'Priya' },
        { name: '2', sample: 'DIYA500' },
      ],
      footer: 'Reply STOP to opt out',
      buttons: [
        { type: 'QUICK_REPLY', text: 'I am coming' },
        { type: 'QUICK_REPLY', text: 'No more offers' },
      ],
    },
  },
  {
    name: 'login_code',
    language: 'en',
    category: 'AUTHENTICATION',
    components: { codeExpirationMinutes: 10, buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
  },
  {
    name: 'weekend_lottery',
    language: 'en',
    category: 'MARKETING',
    components: { body: 'You have won our weekend lottery, REJECT_ME and claim the prize before Sunday evening.' },
  },
]

const unfinished: Template = {
  name: 'store_opening',
  language: 'en',
  category: 'MARKETING',
  components: { body: 'Hi {{1}}, our new store in Kothrud opens on' },
}
