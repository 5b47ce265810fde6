import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { Campaign } from '@carillon/contract/campaign-records'
import type { RcsSuggestion, RcsTemplate, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { z } from 'zod'
import type { Client } from './client.ts'
import { paintSubject, type Subject } from './pictures.ts'
import type { DemoBot, SimulatedRbm } from './rcs.ts'
import type { StoryProgress } from './story-progress.ts'

export type RcsStory = {
  bot: DemoBot
  /** The leg over SMS, without its conditions. */
  failover: object
  /** A customer file with people without RCS. */
  audienceId: string
  /** The simulated phones. */
  phones: Pick<SimulatedRbm['control'], 'listMessages' | 'people'>
  progress: StoryProgress
  until: (isDone: () => Promise<boolean>) => Promise<void>
}

/** Templates of each type, and a sent RCS campaign with SMS for phones without RCS and a few replies. */
export async function playRcsStory(
  client: Client,
  { bot, failover, audienceId, phones, progress, until }: RcsStory,
): Promise<void> {
  const files = await uploadPictures(client)
  const carousel = await create(client, festiveCarousel(files, bot))
  await create(client, orderShipped(files, bot))
  await create(client, feedback(bot))
  const { _id } = await client.call<SavedDraft>('drafts.create', {
    body: {
      campaignName: 'Festive gift guide',
      audienceId,
      legs: [
        { channel: 'rcs', senderId: bot._id, templateId: carousel, values: { variables: [fromColumn(3, 'DIYA500')] } },
        { ...failover, entryConditions: [{ type: 'not_reachable_on_channel' }] },
      ],
    },
  })
  const read = () => client.call<Campaign>('campaigns.get', { path: { id: _id } })
  await client.call('drafts.validate', { path: { id: _id } })
  await until(async () => (await read()).status !== 'validating')
  await client.call('campaigns.start', { path: { id: _id }, body: {} })
  await progress.step('RCS replies', () => writeReplies(bot.botId, { phones, progress, until }))
}

/** The bot is billed by conversation: each of these people costs one. */
const replies = ['Which store has the string lights?', 'Are the sweets made with ghee?', 'Please keep two boxes for me']

async function writeReplies(
  agentId: string,
  { phones, progress, until }: Pick<RcsStory, 'phones' | 'progress' | 'until'>,
): Promise<void> {
  const listReached = () =>
    phones
      .listMessages({ since: 0, limit: 1000, agentId })
      // The others of the file have no RCS, or act by themselves.
      .messages.filter(({ number, timesShown }) => timesShown > 0 && number.startsWith('9191'))
      .slice(0, replies.length)
  const deadline = Date.now() + 30_000
  await until(async () => {
    progress.throwIfStopped()
    return listReached().length === replies.length || Date.now() > deadline
  })
  for (const [index, { number }] of listReached().entries())
    phones.people.write({ number, agentId }, replies[index] ?? '')
}

async function create(client: Client, body: TemplateInput): Promise<string> {
  return (await client.call<RcsTemplate>('rcsTemplates.create', { body }))._id
}

type TemplateInput = z.input<typeof RcsTemplateInput>
type Media = { fileId: string; mediaUrl: string; mediaDescription: string }
type Pictures = Record<Subject, Media>

const descriptions: Record<Subject, string> = {
  lamp: 'A burning clay lamp',
  lights: 'A string of lights',
  sweets: 'Kaju katli on a plate',
  parcel: 'A parcel with a golden ribbon',
}

async function uploadPictures(client: Client): Promise<Pictures> {
  const upload = async (subject: Subject): Promise<Media> => {
    const file = { name: `${subject}.png`, content: Buffer.from(paintSubject(subject)), type: 'image/png' }
    const { fileId, url } = await client.call<{ fileId: string; url: string }>('rcsMedia.template', { file })
    return { fileId, mediaUrl: url, mediaDescription: descriptions[subject] }
  }
  return {
    lamp: await upload('lamp'),
    lights: await upload('lights'),
    sweets: await upload('sweets'),
    parcel: await upload('parcel'),
  }
}

const reply = (text: string, postbackData: string): RcsSuggestion => ({ type: 'reply', text, postbackData })
const open = (text: string, path: string): RcsSuggestion => ({
  type: 'open_url',
  text,
  postbackData: `open_${path}`,
  url: `https://acme.example/${path}`,
  opensIn: 'browser',
})

function festiveCarousel({ lamp, lights, sweets }: Pictures, { botId }: DemoBot): TemplateInput {
  const card = (
    order: number,
    media: Media,
    [cardTitle, cardDescription, path]: readonly [string, string, string],
  ) => ({
    ...media,
    order,
    cardTitle,
    cardDescription,
    suggestions: [open('Shop now', path)],
  })
  return {
    botId,
    name: 'festive_gift_guide',
    type: 'carousel',
    category: 'TRANSACTION',
    height: 'MEDIUM',
    width: 'MEDIUM',
    carouselList: [
      card(0, lamp, ['Clay diyas', 'Set of twelve, ₹499. Members save with {{code}}.', 'diyas']),
      card(1, lights, ['String lights', 'Ten metres, warm white, ₹349.', 'lights']),
      card(2, sweets, ['Kaju katli', 'Half a kilo, made this morning, ₹520.', 'sweets']),
    ],
    suggestions: [reply('Remind me tomorrow', 'remind'), reply('Stores near me', 'stores')],
  }
}

function orderShipped({ parcel }: Pictures, { botId }: DemoBot): TemplateInput {
  return {
    botId,
    name: 'order_shipped_card',
    type: 'rich_card_standalone',
    category: 'TRANSACTION',
    height: 'MEDIUM',
    standAlone: {
      ...parcel,
      cardTitle: 'Your order is on its way',
      cardDescription: 'Hi {{name}}, order {{order}} left our store today and reaches you by Friday.',
      suggestions: [
        { ...open('Track it', 't/{{order}}'), postbackData: 'track' },
        { type: 'dial', text: 'Call us', postbackData: 'call', phoneNumber: '+918047181000' },
      ],
    },
  }
}

function feedback({ botId }: DemoBot): TemplateInput {
  return {
    botId,
    name: 'order_feedback',
    type: 'text_message',
    category: 'TRANSACTION',
    textMessageContent: 'Hi {{name}}, how was your order {{order}}? One tap helps us improve.',
    suggestions: [reply('Good', 'good'), reply('Could be better', 'better'), reply('Call me back', 'call_back')],
  }
}

const fromColumn = (column: number, fallback: string) => ({ column, fallback })
