import type { CampaignDraft } from '@carillon/contract/campaign-records'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import { SmsCategory, SmsTemplateStatus } from '@carillon/contract/templates'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { Actor } from '../../../http/handlers.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { countriesOf, findAudience, type AudienceRow } from '../../audience/index.ts'
import { getBalance, toRupees } from '../../balance/index.ts'
import { findTemplate, SmsContent, type TemplateRow } from '../../templates/index.ts'
import { runChecks, type Check } from './checks.ts'
import { getCampaign, readDraft } from '../campaigns.queries.ts'
import { countAudience, type AudienceCount } from './count-audience.ts'
import { presentPrices, priceCountries, type CountryPrices } from './country-prices.ts'
import { addSendingTime, nextOpen, windowFor } from './send-window.ts'
import { checkOptedOut, findOptedOut } from './opted-out.ts'
import { checkRecent } from './skip-recent.ts'
import { findSmsAccount, type SmsAccountRow } from '../drafts/sms-account.ts'

/** What a draft names, loaded. */
export type Choices = {
  draft: CampaignDraft
  account: SmsAccountRow
  template: TemplateRow
  content: SmsContent
  category: SmsCategory
  audience: AudienceRow
}

export type Reckoning = {
  choices: Choices
  count: AudienceCount
  prices: CountryPrices
  available: number
  beginsAt: Date
  endsAt: Date
  durationSeconds: number
  checks: Check[]
}

export type Payer = { organizationId: string; accountId: string }

/** Loads all that a draft names; says what is still to be chosen. */
export async function loadChoices(db: Db, scope: Scope, draft: CampaignDraft): Promise<Choices> {
  const [account, template, audience] = [
    await loadAccount(db, scope, draft),
    await loadTemplate(db, scope, draft),
    await loadAudience(db, scope, draft),
  ]
  return {
    draft,
    account,
    template,
    audience,
    content: SmsContent.parse(template.content),
    category: SmsCategory.parse(template.category),
  }
}

async function loadAccount(db: Db, scope: Scope, { smsAccountId }: CampaignDraft): Promise<SmsAccountRow> {
  if (!smsAccountId) throw badField('smsAccountId', 'Choose an SMS account first')
  const account = await findSmsAccount(db, { organizationId: scope.organizationId, id: smsAccountId })
  if (!account) throw notFound('SMS account')
  return account
}

export async function loadTemplate(
  db: Db,
  scope: Scope,
  { templateId }: Pick<CampaignDraft, 'templateId'>,
): Promise<TemplateRow> {
  if (!templateId) throw badField('templateId', 'Choose a template first')
  const template = await findTemplate(db, { id: templateId, scope })
  if (!template) throw notFound('Template')
  return template
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

/** Counts the whole send over every real row, prices it, and runs every check. */
export async function reckon(
  db: Db,
  { choices, payer, now }: { choices: Choices; payer: Payer; now: Date },
): Promise<Reckoning> {
  const { draft, account, template, content, category, audience } = choices
  const { organization_id: organizationId } = audience
  const asked = { organizationId, audienceId: audience.id, channel: 'sms' as const, category }
  const count = await countAudience(db, {
    organizationId,
    audienceId: audience.id,
    optedOut: await findOptedOut(db, asked),
    reading: audience.reading,
    ranges: countriesOf(audience),
    body: content.body,
    sources: draft.variables,
  })
  const prices = await priceCountries(db, { organizationId, channel: 'sms', category }, count.countries)
  const { available } = await getBalance(db, payer)
  const { cost } = prices

  const window = windowFor(category, draft.sendWindow)
  const startAt = draft.schedule.startAt ? new Date(draft.schedule.startAt) : now
  const earliest = startAt > now ? startAt : now
  const durationSeconds = Math.ceil(count.parts / account.rate_per_second)
  const beginsAt = nextOpen(window, earliest)
  const endsAt = addSendingTime(window, beginsAt, durationSeconds)
  const recent = { organizationId, audienceId: audience.id, channel: 'sms' as const, skipRecent: draft.skipRecent }
  const found = runChecks({
    account: { name: account.name, isActive: account.is_active, headers: account.headers },
    template: {
      status: SmsTemplateStatus.parse(template.status),
      header: content.header,
      category,
      belongsToAccount: template.sender_id === account.id,
      body: content.body,
      entityId: content.entityId ?? account.entity_id ?? undefined,
      dltTemplateId: content.dltTemplateId,
    },
    count,
    hasConsent: draft.hasConsent ?? false,
    toIndia: count.countries.some(({ country }) => country === 'IN'),
    cost,
    available,
    prices,
    window,
    now: earliest,
    beginsAt,
    endsAt,
    expiresAt: draft.expiresAt ? new Date(draft.expiresAt) : undefined,
  })
  const optedOut = checkOptedOut({ people: count.optedOut, channel: 'SMS' })
  const checks = [...found, ...optedOut, ...(await checkRecent(db, recent))]
  return { choices, count, prices, available, beginsAt, endsAt, durationSeconds, checks }
}

/** The estimate of a draft as it was last saved. Its costs are its creator's. */
export async function estimateDraft(
  db: Db,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<Estimate> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  const choices = await loadChoices(db, actor.scope, readDraft(campaign))
  return presentEstimate(
    await reckon(db, {
      choices,
      payer: { organizationId: campaign.organization_id, accountId: campaign.created_by },
      now,
    }),
  )
}

function presentEstimate({ count, prices, available, beginsAt, endsAt, durationSeconds, checks }: Reckoning): Estimate {
  const { rate, cost } = prices
  return {
    people: count.people,
    parts: count.parts,
    pricePerPart: rate ? toRupees(rate.price) : null,
    rateAsOf: rate ? rate.asOf.toISOString() : null,
    cost: toRupees(cost),
    prices: presentPrices(prices),
    balance: toRupees(available),
    balanceAfter: toRupees(available - cost),
    shortfall: toRupees(Math.max(0, cost - available)),
    multipart: count.multipart,
    unicode: count.unicode,
    missing: count.missing,
    optedOut: count.optedOut,
    tooLong: count.tooLong,
    longestSeq: count.longestSeq,
    cheapestSeq: count.cheapestSeq,
    multipartSeqs: count.multipartSeqs,
    missingSeqs: count.missingSeqs,
    unreadable: count.unreadable,
    unreadableSeqs: count.unreadableSeqs,
    unicodeSeqs: count.unicodeSeqs,
    tooLongSeqs: count.tooLongSeqs,
    durationSeconds,
    beginsAt: beginsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    checks,
  }
}
