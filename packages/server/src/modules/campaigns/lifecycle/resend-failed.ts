import type { campaignChangeEndpoints } from '@carillon/contract/campaign-changes'
import type { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { conflict } from '../../../lib/problem.ts'
import { createAudience, getAudience, type AudienceDeps, type AudienceRow } from '../../audience/index.ts'
import { countFailed, listFailed } from '../../messages/index.ts'
import { getCampaign, readDraft, recordEvent, updateCampaign, type CampaignRow } from '../campaigns.queries.ts'
import { copyDraft, insertCampaign } from '../drafts/drafts.ts'
import { adviseOn } from '../reads/failure-advice.ts'

type Answers = typeof campaignChangeEndpoints
const pageSize = 5000

/** Reasons that another attempt cannot change. */
const permanent: readonly string[] = ['invalid_number', 'dnd_blocked', 'auth_template_to_bsuid']
/** People who opted out are never in a resend. */
const never: readonly string[] = ['opted_out']

function isPermanent(reason: string, channel: Channel): boolean {
  return [...permanent, ...getChannel(channel).permanentFailures].includes(reason)
}

/** Counts failed recipients by reason. */
export async function getFailed(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<Answer<Answers['campaigns.failed']>> {
  const campaign = await getEnded(db, { actor, id })
  const groups = await countFailed(db, { organizationId: campaign.organization_id, campaignId: id })
  const sendable = groups.filter(({ reason }) => !never.includes(reason))
  return {
    people: sendable.reduce((sum, { people }) => sum + people, 0),
    again: sendable.reduce((sum, { again }) => sum + again, 0),
    reasons: sendable
      .filter(({ people }) => people > 0)
      .map(({ reason, channel, people }) => ({
        reason,
        channel,
        people,
        title: adviseOn(reason, channel).title,
        isPermanent: isPermanent(reason, channel),
      })),
  }
}

/** Creates a draft for the campaign's failed recipients; it is checked, priced and sent like any other. */
export async function resendFailed(
  db: Db,
  deps: AudienceDeps,
  { actor, id, leaveOut }: { actor: UserActor; id: string; leaveOut: readonly string[] },
): Promise<{ campaign: CampaignRow; people: number }> {
  const original = await getEnded(db, { actor, id })
  const { organization_id: organizationId, audience_id: audienceId, channel } = original
  if (!audienceId) throw conflict('The campaign has no audience')
  const audience = await getAudience(db, { organizationId, id: audienceId })
  const { upload, people } = await writeFailed(db, deps, {
    original,
    audience,
    leaveOut: [...leaveOut, ...never],
  })
  try {
    if (people === 0) throw conflict('No recipients left: choose at least one reason')
    const failed = await createAudience(db, deps, {
      actor,
      upload,
      numbers: undefined,
      phoneColumn: audience.phone_column ?? 0,
      defaultCountry: audience.default_country,
      channel,
    })
    const inserted = await insertCampaign(db, {
      actor,
      draft: { ...copyDraft(readDraft(original), { prefix: 'Resend of' }), audienceId: failed.id },
      status: 'draft',
    })
    const campaign = await updateCampaign(db, inserted, { resend_of: original.resend_of ?? original.id })
    await recordEvent(db, { campaign, event: 'created', details: { resendOf: original.id, people }, actor })
    return { campaign, people }
  } finally {
    await rm(upload.path, { force: true })
  }
}

async function getEnded(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  if (!['completed', 'cancelled'].includes(campaign.status))
    throw conflict('Wait until the campaign has ended: more messages may fail')
  return campaign
}

type Failed = { original: CampaignRow; audience: AudienceRow; leaveOut: readonly string[] }

/** The failed rows as a file with the original columns, so that variable sources stay valid. */
async function writeFailed(
  db: Db,
  { temporaryDirectory }: AudienceDeps,
  { original, audience, leaveOut }: Failed,
): Promise<{ upload: UploadedFile; people: number }> {
  const path = join(temporaryDirectory, randomUUID())
  await mkdir(temporaryDirectory, { recursive: true })
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  const phoneColumn = audience.phone_column ?? 0
  const key = { organizationId: original.organization_id, campaignId: original.id, leaveOut, limit: pageSize }
  let [people, sizeBytes, after] = [0, 0, -1]
  try {
    const write = async (text: string) => {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      sizeBytes += bytes.length
      await file.write(bytes)
    }
    await write(line(audience.columns.length > 0 ? audience.columns : ['Phone number']))
    for (
      let page = await listFailed(db, { ...key, after });
      page.length > 0;
      page = await listFailed(db, { ...key, after })
    ) {
      await write(page.map(({ phone, variables }) => line(withPhone(variables, phoneColumn, phone))).join(''))
      people += page.length
      after = page.at(-1)?.seq ?? after
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const fileName = `Failed of ${original.name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')}.csv`
  return { upload: { fileName, mimeType: 'text/csv', path, sizeBytes, sha256: hash.digest() }, people }
}

function withPhone(cells: readonly string[], phoneColumn: number, phone: number): string[] {
  const whole =
    cells.length > phoneColumn ? [...cells] : [...cells, ...Array<string>(phoneColumn + 1 - cells.length).fill('')]
  return whole.with(phoneColumn, `+${phone}`)
}

/** Every cell is quoted and unchanged: the file is read by us, not by a spreadsheet. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
