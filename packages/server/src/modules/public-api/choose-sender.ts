import { Channel } from '@carillon/contract/channels'
import { channelTraits, defaultChannels } from '@carillon/contract/channels/table'
import type { PublicSend } from '@carillon/contract/public-message-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { LegSender, LegTemplate } from '../../channels/channel.ts'
import { findProvider, listProviders } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { badField } from '../../lib/problem.ts'

export type SenderRow = LegSender & { channel: Channel; externalId: string | null; provider: string }
export type TemplateRow = LegTemplate & { channel: Channel }

/** The organisation's senders, and the templates that messages name. Test keys also have the senders of the sandbox. */
export type Choices = { senders: readonly SenderRow[]; templates: readonly TemplateRow[]; isTest: boolean }

export async function loadChoices(db: Db, actor: UserActor, sends: readonly PublicSend[]): Promise<Choices> {
  return {
    senders: await loadSenders(db, actor),
    templates: await loadTemplates(db, actor, sends),
    isTest: actor.apiKey?.environment === 'test',
  }
}

/** The templates that the message may mean; several if a name is used more than once. */
export function matchTemplates({ templates }: Choices, { template, channel }: PublicSend): TemplateRow[] {
  if (!template) return []
  const { id, name, language } = template
  const found = templates.filter(
    (row) =>
      (id === undefined ? row.name === name : row.id === id) &&
      (language === undefined || row.language === language) &&
      (channel === undefined || row.channel === channel),
  )
  if (found.length === 0) throw badField(id === undefined ? 'template.name' : 'template.id', 'No such template')
  return found
}

export function chooseTemplate(templates: readonly TemplateRow[], sender: SenderRow): TemplateRow {
  const usable = templates.filter(({ channel, senderId, accountId }) =>
    channel !== sender.channel
      ? false
      : senderId === null
        ? accountId === null || accountId === sender.accountId
        : senderId === sender.id,
  )
  const [template, another] = usable
  if (!template) throw badField('template', `This template cannot be sent from ${sender.name}`)
  if (another)
    throw badField('template.language', 'Several templates have this name: choose the language, or use the id')
  return template
}

export function chooseSender(
  { senders, isTest }: Choices,
  { from, channel }: PublicSend,
  templates: readonly TemplateRow[],
): SenderRow {
  const channels = new Set(channel === undefined ? templates.map((template) => template.channel) : [channel])
  const possible = senders.filter((sender) => channels.size === 0 || channels.has(sender.channel))
  if (from === undefined) {
    const hasActive = possible.some(({ isActive }) => isActive)
    const [chosen = defaultChannels.campaigns] = [...channels]
    const isSandbox = isTest && !hasActive && listProviders(chosen).length > 0
    return isSandbox ? sandboxSender(chosen) : chooseOnlySender(possible, templates)
  }
  const named = possible.filter((sender) => isNamed(sender, from))
  const [sender, another] = named
  if (!sender) throw badField('from', 'No sender of yours has this id, name, number or header')
  if (another) throw badField('from', 'Several senders match this: use the id')
  return sender
}

function chooseOnlySender(possible: readonly SenderRow[], templates: readonly TemplateRow[]): SenderRow {
  const active = possible.filter(
    (sender) =>
      sender.isActive &&
      (templates.length === 0 ||
        templates.some(({ senderId, accountId }) =>
          senderId === null ? accountId === null || accountId === sender.accountId : senderId === sender.id,
        )),
  )
  const [sender, another] = active
  if (!sender) throw badField('from', 'No active sender can send this message')
  if (another) {
    const labels = new Set(active.map(({ channel }) => channelTraits[channel].label))
    throw labels.size > 1
      ? badField('channel', `Choose the channel: ${[...labels].join(', ')}`)
      : badField('from', 'Choose the sender: several are active')
  }
  return sender
}

/** Of a channel of which the organisation has no active sender. */
function sandboxSender(channel: Channel): SenderRow {
  const id = sandboxIds(channel)
  return {
    id,
    channel,
    name: `Sandbox ${channelTraits[channel].label}`,
    headers: ['SANDBX'],
    facts: {},
    isActive: true,
    entityId: null,
    externalId: null,
    accountId: id,
    provider: '',
    reviewsTemplates: false,
  }
}

const sandboxIds = (channel: Channel) =>
  `00000000-0000-7000-8000-${String(Channel.options.indexOf(channel) + 1).padStart(12, '0')}`

function isNamed({ id, name, headers, externalId }: SenderRow, from: string): boolean {
  return id === from || name === from || headers.includes(from) || (externalId !== null && externalId === from)
}

async function loadSenders(db: Db, { organizationId }: UserActor): Promise<SenderRow[]> {
  const rows = await db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select(['senders.id', 'senders.channel', 'senders.name', 'senders.headers', 'senders.facts', 'account.provider'])
    .select(['senders.is_active as isActive', 'senders.entity_id as entityId', 'senders.external_id as externalId'])
    .select(['senders.provider_account_id as accountId'])
    .where('senders.organization_id', '=', organizationId)
    .where('senders.deleted_at', 'is', null)
    .execute()
  return rows.map(({ provider, ...row }) => ({
    ...row,
    provider,
    reviewsTemplates: findProvider(provider)?.reviewsTemplates ?? false,
  }))
}

async function loadTemplates(
  db: Db,
  { organizationId, apiKey }: UserActor,
  sends: readonly PublicSend[],
): Promise<TemplateRow[]> {
  const asked = sends.flatMap(({ template, legs = [] }) =>
    [template, ...legs.map((leg) => leg.template)].filter((one) => one !== undefined),
  )
  const configured = apiKey?.config?.defaults.templateId
  if (asked.length === 0 && configured === undefined) return []
  const ids = [...new Set([configured, ...asked.map(({ id }) => id)].filter((id) => id !== undefined))]
  const names = [...new Set(asked.flatMap(({ name }) => (name === undefined ? [] : [name])))]
  return db
    .selectFrom('templates')
    .select(['id', 'channel', 'name', 'language', 'status', 'category', 'content', 'facts'])
    .select(['sender_id as senderId', 'provider_account_id as accountId', 'external_id as externalId'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(id = any(${ids}::uuid[]) or name = any(${names}::text[]))`)
    .execute()
}
