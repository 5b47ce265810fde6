import type { Channel } from '@carillon/contract/channels'
import type { Selectable } from 'kysely'
import type { Draft, DraftLeg, LoadedLeg, PreparedLeg, ServerChannel } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { Senders } from '../../../db/schema.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { findAudience, type AudienceRow } from '../../audience/index.ts'
import { getFile } from '../../files/index.ts'
import { ofOrganizationsInScope } from '../../templates/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import type { Entrance } from './campaign-plan.ts'
import { entranceOf } from './entry-conditions.ts'

/** What a draft refers to, loaded. */
export type Choices = { draft: Draft; audience: AudienceRow; legs: [ChosenLeg, ...ChosenLeg[]] }

export type ChosenLeg = {
  channel: Channel
  rules: ServerChannel
  loaded: LoadedLeg
  prepared: PreparedLeg
  /** Parts per second. */
  ratePerSecond: number
  /** Undefined for the first leg. */
  entrance: Entrance | undefined
}

export function readDraftOf({ channel, draft }: Pick<CampaignRow, 'channel' | 'draft'>): Draft {
  return getChannel(channel).readDraft(draft)
}

/** Loads all that a draft refers to; says what is still to be chosen. */
export async function loadChoices(db: Db, scope: Scope, draft: Draft): Promise<Choices> {
  const [first, ...others] = draft.legs
  const leg = await loadLeg(db, scope, first)
  const audience = await loadAudience(db, scope, draft)
  const later: ChosenLeg[] = []
  for (const other of others) {
    if (!other.isEnabled) continue
    assertHasConditions(other)
    later.push(await loadLeg(db, scope, other))
  }
  return { draft, audience, legs: [leg, ...later] }
}

/** Without conditions a later leg would be sent to everyone immediately, in parallel with the first. */
function assertHasConditions({ channel, sender, template, entryConditions }: DraftLeg) {
  for (const choice of [sender, template]) if (!choice.id) throw badField(choice.field, choice.missing)
  if (entryConditions.length === 0)
    throw badField('smsFailoverConditions', `Choose when ${getChannel(channel).label} takes over`)
}

async function loadLeg(db: Db, scope: Scope, leg: DraftLeg): Promise<ChosenLeg> {
  const { channel, sender, template, values } = leg
  for (const choice of [sender, template]) if (!choice.id) throw badField(choice.field, choice.missing)
  const senderRow = await findCampaignSender(db, scope, { channel, id: sender.id ?? '' })
  if (!senderRow) throw notFound(sender.name)
  const templateRow = await findCampaignTemplate(db, scope, { channel, id: template.id ?? '' })
  if (!templateRow) throw notFound(template.name)
  const rules = getChannel(channel)
  const loaded = { sender: senderOf(senderRow), template: templateRow, values }
  return {
    channel,
    rules,
    loaded,
    prepared: rules.prepareLeg(loaded),
    ratePerSecond: senderRow.rate_per_second,
    entrance: leg.entryConditions.length > 0 ? entranceOf(leg.entryConditions) : undefined,
  }
}

export async function loadAudience(
  db: Db,
  scope: Scope,
  { audienceId }: Pick<Draft, 'audienceId'>,
): Promise<AudienceRow> {
  if (!audienceId) throw badField('audienceId', 'Choose an audience first')
  const audience = await findAudience(db, { id: audienceId, scope })
  if (!audience) throw notFound('Audience')
  if (audience.status === 'failed') throw conflict(audience.error ?? 'The audience could not be read')
  if (audience.status !== 'ready') throw conflict('The audience is still being checked')
  return audience
}

/** What a draft refers to must be the organisation's own, and the audience within the caller's scope. */
export async function assertDraftInScope(db: Db, scope: Scope, draft: Draft): Promise<void> {
  for (const [index, { channel, sender, template, values }] of draft.legs.entries()) {
    if (sender.id && !(await findCampaignSender(db, scope, { channel, id: sender.id }))) throw notFound(sender.name)
    if (template.id && !(await findCampaignTemplate(db, scope, { channel, id: template.id })))
      throw notFound(template.name)
    if (index === 0 && draft.audienceId && !(await findAudience(db, { id: draft.audienceId, scope })))
      throw notFound('Audience')
    for (const id of getChannel(channel).fileIds(values))
      await getFile(db, { organizationId: scope.organizationId, id })
  }
}

export type CampaignSender = Pick<
  Selectable<Senders>,
  'id' | 'name' | 'headers' | 'entity_id' | 'rate_per_second' | 'is_active' | 'provider_account_id' | 'facts'
>

/** The sender of a leg, as far as a campaign needs to know it. */
async function findCampaignSender(
  db: Db,
  scope: Scope,
  { channel, id }: { channel: Channel; id: string },
): Promise<CampaignSender | undefined> {
  return db
    .selectFrom('senders')
    .select(['id', 'name', 'headers', 'entity_id', 'rate_per_second', 'is_active', 'provider_account_id', 'facts'])
    .where(ofOrganization(scope))
    .where('id', '=', id)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

function senderOf(row: CampaignSender): LoadedLeg['sender'] {
  const { id, name, headers, facts } = row
  return {
    id,
    name,
    headers,
    facts,
    isActive: row.is_active,
    entityId: row.entity_id,
    accountId: row.provider_account_id,
  }
}

export async function findCampaignTemplate(
  db: Db,
  scope: Scope,
  { channel, id }: { channel: Channel; id: string },
): Promise<LoadedLeg['template'] | undefined> {
  return db
    .selectFrom('templates')
    .select(['id', 'name', 'language', 'status', 'category', 'content', 'facts'])
    .select(['sender_id as senderId', 'provider_account_id as accountId'])
    .where(ofOrganizationsInScope(scope))
    .where('id', '=', id)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
