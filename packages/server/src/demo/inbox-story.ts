import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Conversation } from '@carillon/contract/conversation-records'
import type { Client } from './client.ts'
import type { StoryProgress } from './story-progress.ts'
import type { SimulatedGraph } from './whatsapp.ts'

export type InboxStory = {
  manager: Client
  user: Client
  departmentHead: Client
  phones: Pick<SimulatedGraph['control'], 'describePerson' | 'write'>
  progress: StoryProgress
  until: (isDone: () => Promise<boolean>) => Promise<void>
}

type Person = { phone: string; name: string; texts: string[] }

/** People who write first, besides those who answer campaigns. */
const people = {
  meera: {
    phone: '919820455173',
    name: 'Meera Nair',
    texts: ['Hi, order 48213 is the blue kurta', 'Can I change it from M to L?'],
  },
  farhan: { phone: '919811200417', name: 'Farhan Sheikh', texts: ['Do you deliver to Aundh today?'] },
  lakshmi: {
    phone: '919845012733',
    name: 'Lakshmi Iyer',
    texts: ['The box arrived open', 'One of the two lamps is broken'],
  },
  devika: { phone: '919769084410', name: 'Devika Rao', texts: ['Where is my refund of ₹1,299?'] },
  harpreet: { phone: '919814077256', name: 'Harpreet Kaur', texts: ['मेरा ऑर्डर कब आएगा?'] },
} as const satisfies Record<string, Person>

const cannedReplies = [
  { shortcut: 'hello', text: 'Hello {{name}}, this is {{agent}} from {{organization}}. How can I help?' },
  { shortcut: 'refund', text: 'Refunds reach your bank within five working days after we received the parcel.' },
  { shortcut: 'hours', text: 'Our stores are open from 10 am to 9 pm, every day.' },
]

/** The inbox: members who answer, canned replies, and conversations in each state. */
export async function playInboxStory(story: InboxStory): Promise<void> {
  const { manager, user, departmentHead } = story
  for (const client of [manager, user, departmentHead]) await client.call('agents.own')
  await manager.call('inboxSettings.update', {
    body: {
      assignsAutomatically: false,
      timezone: 'Asia/Kolkata',
      businessHours: null,
      firstReplyMinutes: 30,
      nextReplyMinutes: 60,
      asksForRating: true,
      ratingText: null,
      ratingTemplates: {},
    },
  })
  for (const body of cannedReplies) await manager.call('cannedReplies.create', { body })
  await setOnline(user)
  const chats = await writeAll(story)

  await reply(user, chats.meera, 'Good news, Meera: the L is in stock. Shall I change the order?')
  await change(user, chats.meera, { labels: ['size change', 'repeat buyer'] })
  await user.call('conversations.note', {
    path: { id: chats.meera },
    body: { text: 'Held at the Pune dock until 3 pm. Same price.' },
  })
  await change(user, chats.lakshmi, { priority: 'high', labels: ['damaged'] })
  await reply(departmentHead, chats.devika, 'Your refund left us on Monday, Devika. It takes up to five working days.')
  await change(departmentHead, chats.devika, { status: 'resolved' })
  await change(departmentHead, chats.harpreet, {
    status: 'snoozed',
    snoozeNote: 'Waits for the courier',
    assigneeId: (await departmentHead.call<{ _id: string }>('agents.own'))._id,
  })
}

async function setOnline(client: Client): Promise<void> {
  const { _id } = await client.call<{ _id: string }>('agents.own')
  await client.call('agents.setAvailability', { path: { id: _id }, body: { availability: 'online' } })
}

type Chats = Record<keyof typeof people, string>

async function writeAll({ manager, phones, progress, until }: InboxStory): Promise<Chats> {
  const [connection] = await manager.call<WhatsappConnection[]>('wabas.list')
  const phoneNumberId = connection?.numbers[0]?.phone_number_id
  await progress.step('Inbox messages', () => {
    for (const { phone, name, texts } of Object.values<Person>(people)) {
      phones.describePerson(phone, { name })
      for (const body of texts) phones.write(phone, { phoneNumberId, type: 'text', text: { body } })
    }
  })
  // A step, because later steps take conversations off the list.
  return progress.step('Inbox conversations', () => findChats(manager, until))
}

async function findChats(manager: Client, until: InboxStory['until']): Promise<Chats> {
  let found: Partial<Chats> = {}
  await until(async () => {
    const query = { limit: '100', status: 'active', order: 'newest' }
    const { conversations } = await manager.call<{ conversations: Conversation[] }>('conversations.list', { query })
    const byNumber = new Map(conversations.map(({ phoneNumber, chatId }) => [phoneNumber, chatId]))
    found = Object.fromEntries(
      Object.entries(people).flatMap(([key, { phone }]) => {
        const chatId = byNumber.get(`+${phone}`)
        return chatId === undefined ? [] : [[key, chatId]]
      }),
    )
    return Object.keys(found).length === Object.keys(people).length
  })
  // Complete, because the wait ended.
  return found as Chats
}

async function reply(client: Client, id: string, text: string): Promise<void> {
  await client.call('conversations.reply', {
    path: { id },
    body: { clientId: `demo-${id}`, content: { type: 'text', text } },
  })
}

async function change(client: Client, id: string, body: Record<string, unknown>): Promise<void> {
  await client.call('conversations.change', { path: { id }, body })
}
