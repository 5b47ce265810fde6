import { letterOfVariant, positionOfVariant } from '@carillon/contract/variant-positions'
import type { SendWindow } from '@carillon/contract/campaign-records'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import type { Channel } from '@carillon/contract/channels'
import type { Selectable } from 'kysely'
import type { Check, LoadedLeg, PreparedLeg, ServerChannel } from '../../../channels/channel.ts'
import { findProvider, getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { Senders } from '../../../db/schema.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { findAudience, type AudienceRow } from '../../audience/index.ts'
import { getFile } from '../../files/index.ts'
import { drawGroups, type Groups } from '../ab-tests/draw-groups.ts'
import { enabledTest } from '../ab-tests/enabled-test.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { findLinkOrigin, type FrozenLink } from '../../links/index.ts'
import { ofOrganizationsInScope } from '../../templates/index.ts'
import type { Entrance } from './campaign-plan.ts'
import { entranceOf, isUntimed } from './entry-conditions.ts'
import { assertCodesSuffice, trackLinks, type LinkPlaces } from './tracked-links.ts'

/** The rows that a draft refers to. */
export type Choices = {
  draft: CampaignDraft
  audience: AudienceRow
  /** The first message, the other variants of its test, and the legs that follow. */
  legs: [ChosenLeg, ...ChosenLeg[]]
  /** Undefined without a test. */
  groups: Groups | undefined
}

export type ChosenLeg = {
  channel: Channel
  /** In the draft; variants of a test have positions of their own. */
  position: number
  rules: ServerChannel
  loaded: LoadedLeg
  /** Its content has the links. */
  prepared: PreparedLeg
  links: FrozenLink[]
  linkChecks: Check[]
  /** Parts per second. */
  ratePerSecond: number
  ttlSeconds: number | undefined
  /** How long reports of revocable messages may take; undefined if the provider cannot revoke any. */
  revokeGraceSeconds: number | undefined
  /** Its provider stops delivery after that time. */
  acceptsTtl: boolean
  /** Its own sending hours; undefined if it has none. */
  sendWindow: SendWindow | undefined
  /** Undefined for the first leg and its variants. */
  entrance: Entrance | undefined
}

type LoadedCampaign = Pick<CampaignRow, 'id' | 'draft'>

/** What rows of a draft are loaded for. */
export type LoadContext = { scope: Scope; /** Where the installation's tracked links begin. */ publicUrl: string }

/** Loads all rows that a draft refers to; throws an error of the field that is still empty. */
export async function loadChoices(
  db: Db,
  { scope, publicUrl }: LoadContext,
  campaign: LoadedCampaign,
): Promise<Choices> {
  const draft = readDraft(campaign)
  const leg = await loadLeg(db, scope, {
    leg: draft.legs[0],
    position: 0,
    choices: choicesOf(draft.legs[0], firstPlace),
  })
  const audience = await loadAudience(db, scope, draft)
  const others = [...(await loadVariants(db, scope, draft)), ...(await loadLater(db, scope, { draft, first: leg }))]
  const places = {
    columns: audience.columns.length,
    origin: await findLinkOrigin(db, { organizationId: audience.organization_id, publicUrl }),
  }
  const legs: Choices['legs'] = [prepare(leg, places), ...others.map((one) => prepare(one, places))]
  assertCodesSuffice(legs, audience.accepted)
  const test = enabledTest(draft)
  return { draft, audience, legs, groups: test && drawGroups(campaign.id, test, audience.accepted) }
}

async function loadVariants(db: Db, scope: Scope, draft: CampaignDraft): Promise<LoadedDraftLeg[]> {
  const loaded: LoadedDraftLeg[] = []
  for (const [index, leg] of (enabledTest(draft)?.variants ?? []).entries()) {
    const choices = choicesOf(leg, variantPlace(index))
    loaded.push(await loadLeg(db, scope, { leg, position: positionOfVariant(index + 1), choices }))
  }
  return loaded
}

async function loadLater(
  db: Db,
  scope: Scope,
  { draft, first }: { draft: CampaignDraft; first: LoadedDraftLeg },
): Promise<LoadedDraftLeg[]> {
  const loaded: LoadedDraftLeg[] = []
  for (const [position, leg] of draft.legs.entries()) {
    if (position === 0 || !leg.isEnabled) continue
    const place = laterPlace(position)
    const choices = choicesOf(leg, place)
    assertHasConditions(leg, { choices, field: `${place.field}.entryConditions` })
    loaded.push(await loadLeg(db, scope, { leg, position, choices, before: loaded.at(-1) ?? first }))
  }
  return loaded
}

type LoadedDraftLeg = Omit<ChosenLeg, 'prepared' | 'links' | 'linkChecks'>

function prepare(leg: LoadedDraftLeg, places: LinkPlaces): ChosenLeg {
  const { leg: loaded, links, checks } = trackLinks(leg.loaded, leg.rules, places)
  return { ...leg, loaded, prepared: prepareWithLinks({ rules: leg.rules, loaded, links }), links, linkChecks: checks }
}

type LegWithLinks = {
  rules: Pick<ServerChannel, 'prepareLeg'>
  loaded: Parameters<ServerChannel['prepareLeg']>[0]
  links: readonly FrozenLink[]
}

/** The links are part of the content that a campaign freezes. */
export function prepareWithLinks({ rules, loaded, links }: LegWithLinks): PreparedLeg {
  const prepared = rules.prepareLeg(loaded)
  return links.length === 0 ? prepared : { ...prepared, content: { ...prepared.content, links } }
}

/** A choice of a leg, with the error if it is missing and the name for "not found". */
type Choice = { id: string | null; field: string; missing: string; name: string }
type LegChoices = { sender: Choice; template: Choice }

/** Where a leg is in a draft, and what its sender and template are chosen for. */
type LegPlace = { field: string; purpose: string | undefined }

const firstPlace: LegPlace = { field: 'legs.0', purpose: undefined }

function laterPlace(position: number): LegPlace {
  return { field: `legs.${position}`, purpose: 'for failover' }
}

function variantPlace(index: number): LegPlace {
  return { field: `abTest.variants.${index}`, purpose: `of message ${letterOfVariant(index + 1)}` }
}

function choicesOf({ channel, senderId, templateId }: DraftLeg, { field, purpose }: LegPlace): LegChoices {
  const { label, senderName, chooseSender } = getChannel(channel)
  const [senderField, templateField] = [`${field}.senderId`, `${field}.templateId`]
  if (purpose === undefined)
    return {
      sender: { id: senderId, field: senderField, missing: chooseSender, name: capitalize(senderName) },
      template: { id: templateId, field: templateField, missing: 'Choose a template first', name: 'Template' },
    }
  const choice = (id: string | null, own: string, name: string) => ({
    id,
    field: own,
    missing: `Choose the ${name} ${purpose}`,
    name: capitalize(name),
  })
  return {
    sender: choice(senderId, senderField, senderName),
    template: choice(templateId, templateField, `${label} template`),
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Without conditions a later leg would be sent to everyone immediately, in parallel with the first. */
function assertHasConditions(leg: DraftLeg, { choices, field }: { choices: LegChoices; field: string }) {
  assertChosen(choices)
  if (leg.entryConditions.length === 0)
    throw badField(field, `Choose when to fall back to ${getChannel(leg.channel).label}`)
  if (leg.entryConditions.some(isUntimed)) throw badField(field, 'Choose after how long to fall back')
}

function assertChosen({ sender, template }: LegChoices) {
  for (const choice of [sender, template]) if (!choice.id) throw badField(choice.field, choice.missing)
}

async function loadLeg(
  db: Db,
  scope: Scope,
  { leg, position, choices, before }: { leg: DraftLeg; position: number; choices: LegChoices; before?: LoadedDraftLeg },
): Promise<LoadedDraftLeg> {
  assertChosen(choices)
  const { channel, values, entryConditions, ttlSeconds, sendWindow } = leg
  const expiresAfter = before && !before.acceptsTtl ? before.ttlSeconds : undefined
  const senderRow = await findCampaignSender(db, scope, { channel, id: leg.senderId ?? '' })
  if (!senderRow) throw notFound(choices.sender.name)
  const templateRow = await findCampaignTemplate(db, scope, { channel, id: leg.templateId ?? '' })
  if (!templateRow) throw notFound(choices.template.name)
  const rules = getChannel(channel)
  const loaded = { sender: senderOf(senderRow), template: templateRow, values }
  return {
    channel,
    position,
    rules,
    loaded,
    ratePerSecond: senderRow.rate_per_second,
    ttlSeconds,
    revokeGraceSeconds: findProvider(senderRow.provider)?.revokes?.graceSeconds,
    acceptsTtl: rules.acceptsTtl && !findProvider(senderRow.provider)?.ignoresTtl,
    sendWindow,
    entrance: entryConditions.length > 0 ? entranceOf(entryConditions, expiresAfter) : undefined,
  }
}

export async function loadAudience(
  db: Db,
  scope: Scope,
  { audienceId }: Pick<CampaignDraft, 'audienceId'>,
): Promise<AudienceRow> {
  if (!audienceId) throw badField('audienceId', 'Choose an audience first')
  const audience = await findAudience(db, { id: audienceId, scope })
  if (!audience) throw notFound('Audience')
  if (audience.status === 'failed') throw conflict(audience.error ?? 'The audience could not be read')
  if (audience.status !== 'ready') throw conflict('The audience is still being checked')
  return audience
}

/** What a draft refers to must belong to the organisation, and the audience must be in the caller's scope. */
export async function assertDraftInScope(db: Db, scope: Scope, draft: CampaignDraft): Promise<void> {
  const places = [
    ...draft.legs.map((leg, position) => ({ leg, place: position === 0 ? firstPlace : laterPlace(position) })),
    ...(draft.abTest?.variants ?? []).map((leg, index) => ({ leg, place: variantPlace(index) })),
  ]
  if (draft.audienceId && !(await findAudience(db, { id: draft.audienceId, scope }))) throw notFound('Audience')
  for (const { leg, place } of places) await assertLegInScope(db, scope, { leg, choices: choicesOf(leg, place) })
}

async function assertLegInScope(
  db: Db,
  scope: Scope,
  { leg, choices: { sender, template } }: { leg: DraftLeg; choices: LegChoices },
): Promise<void> {
  const { channel, senderId, templateId, values } = leg
  if (senderId && !(await findCampaignSender(db, scope, { channel, id: senderId }))) throw notFound(sender.name)
  if (templateId && !(await findCampaignTemplate(db, scope, { channel, id: templateId }))) throw notFound(template.name)
  for (const id of getChannel(channel).fileIds(values)) await getFile(db, { organizationId: scope.organizationId, id })
}

export type CampaignSender = Pick<
  Selectable<Senders>,
  'id' | 'name' | 'headers' | 'entity_id' | 'rate_per_second' | 'is_active' | 'provider_account_id' | 'facts'
> & { /** Name of its provider. */ provider: string }

/** The sender of a leg, as far as campaigns use it. */
async function findCampaignSender(
  db: Db,
  scope: Scope,
  { channel, id }: { channel: Channel; id: string },
): Promise<CampaignSender | undefined> {
  return db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select(['senders.id', 'senders.name', 'headers', 'entity_id', 'rate_per_second', 'senders.is_active'])
    .select(['provider_account_id', 'senders.facts', 'account.provider'])
    .where(ofOrganization(scope, 'senders.organization_id'))
    .where('senders.id', '=', id)
    .where('senders.channel', '=', channel)
    .where('senders.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A sender with what its channel's rules need. */
export async function findLegSender(
  db: Db,
  scope: Scope,
  which: { channel: Channel; id: string },
): Promise<LoadedLeg['sender'] | undefined> {
  const row = await findCampaignSender(db, scope, which)
  return row && senderOf(row)
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
    reviewsTemplates: findProvider(row.provider)?.reviewsTemplates ?? false,
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
    .select(['sender_id as senderId', 'provider_account_id as accountId', 'external_id as externalId'])
    .where(ofOrganizationsInScope(scope))
    .where('id', '=', id)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
